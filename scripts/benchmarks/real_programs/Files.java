// Java's files: streams, channels, mappings, random access, several threads, a child process.
import java.io.*;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.*;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

public class Files {
    public static void main(String[] words) throws Exception {
        try (var out = new PrintWriter(new BufferedWriter(new FileWriter("lines")))) {
            for (int n = 0; n < 100_000; n++) out.println("line " + n);
        }
        try (var lines = java.nio.file.Files.lines(Path.of("lines"))) {
            System.out.println(lines.mapToLong(String::length).sum());
        }
        try (var both = new RandomAccessFile("lines", "rw")) {
            both.seek(1000);
            both.writeBytes("here");
            both.setLength(900_000);
            System.out.println(both.getFilePointer());
            var map = both.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 4096);
            map.put(5, (byte) '!');
            map.force();
        }
        try (var from = FileChannel.open(Path.of("lines")); var to = new FileOutputStream("copy").getChannel()) {
            System.out.println(from.transferTo(0, from.size(), to));
            System.out.println(from.read(ByteBuffer.allocateDirect(5000), 100));
        }
        var pool = Executors.newFixedThreadPool(4);
        for (var done : pool.invokeAll(IntStream.range(0, 40).<java.util.concurrent.Callable<Long>>mapToObj(n -> () -> {
                 var path = Path.of("file" + n);
                 java.nio.file.Files.writeString(path, "text ".repeat(n * 100));
                 return java.nio.file.Files.size(path);
             }).toList()))
            System.out.print(done.get() + " ");
        pool.shutdown();
        try (var walked = java.nio.file.Files.walk(Path.of("tree"))) {
            System.out.println(walked.count());
        }
        var child = new ProcessBuilder(List.of("sort", "-r")).redirectOutput(new File("sorted")).start();
        try (var into = child.outputWriter()) {
            into.write("a\nb\n");
        }
        System.out.println(child.waitFor());
        java.nio.file.Files.move(Path.of("sorted"), Path.of("moved"));
        try {
            new FileInputStream("nowhere");
        } catch (FileNotFoundException none) {
            System.out.println(none.getMessage());
        }
        System.exit(5);
    }
}
