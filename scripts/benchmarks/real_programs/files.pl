# Perl's own ways with files and processes.
use strict;
use warnings;
use Fcntl qw(:flock SEEK_SET);
use File::Copy;
use File::Find;
use File::Path qw(remove_tree);

open my $out, '>', 'lines' or die;
printf $out "line %d %s\n", $_, 'x' x ($_ % 50) for 1 .. 60_000;
close $out;
my $sum = 0;
open my $in, '<', 'lines' or die;
while (<$in>) { $sum += length if /line \d*7 /; }
close $in;
print "$sum\n";

open my $both, '+<', 'lines' or die;
binmode $both;
flock $both, LOCK_EX;
sysseek $both, 100, SEEK_SET;
sysread $both, my $some, 20;
seek $both, 0, SEEK_SET;
print $both 'LINE';
truncate $both, 500_000;
close $both;
print "$some\n", -s 'lines', "\n";

find({ wanted => sub { $sum += -s if -f }, no_chdir => 1 }, 'tree');
find(sub { $sum += (stat)[7] }, 'tree');
print "$sum\n";
open my $sorted, '-|', 'sort -r lines | tail -2' or die;
print while <$sorted>;
close $sorted;
open my $into, '|-', 'cat > piped' or die;
print $into "piped $_\n" for 1 .. 10;
close $into;
print `wc -l < piped`, system('exit 3') >> 8, "\n";
copy('lines', 'copied') and move('copied', 'moved');
{
    local ($^I, @ARGV) = ('.old', 'piped');
    while (<>) { s/piped/edited/; print; }
}
my $child = fork // die;
if (!$child) { open my $mine, '>>', 'moved'; print $mine "child\n"; exit 4; }
waitpid $child, 0;
print $? >> 8, "\n";
open my $memory, '>', \my $text;
print $memory 'in memory';
print "$text\n";
for (1 .. 200) { mkdir "made$_"; rmdir "made$_" }
symlink 'lines', 'link';
print readlink 'link', "\n";
remove_tree('tree');
open my $none, '<', 'nowhere' or print "$!\n";
