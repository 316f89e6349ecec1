// Node's files: at once, by promises, by streams, in threads and in child processes.
const fs = require('fs');
const { pipeline } = require('stream/promises');
const zlib = require('zlib');
const child = require('child_process');
const { Worker, isMainThread, parentPort } = require('worker_threads');

if (!isMainThread) {
  fs.writeFileSync('from-thread', 'thread'.repeat(1000));
  parentPort.postMessage(fs.statSync('from-thread').size);
} else {
  main().catch((error) => { console.error(error); process.exit(1); });
}

async function main() {
  fs.writeFileSync('sync', 'sync\n'.repeat(100000));
  console.log(fs.readFileSync('sync').length);
  await Promise.all([...Array(200).keys()].map((n) => fs.promises.writeFile(`file${n}`, `${n}\n`.repeat(n))));
  const sizes = await Promise.all([...Array(200).keys()].map(async (n) => (await fs.promises.stat(`file${n}`)).size));
  console.log(sizes.reduce((a, b) => a + b));
  await pipeline(fs.createReadStream('sync'), zlib.createGzip(), fs.createWriteStream('sync.gz'));
  await pipeline(fs.createReadStream('sync.gz'), zlib.createGunzip(), fs.createWriteStream('again'));
  console.log(fs.readFileSync('again').equals(fs.readFileSync('sync')));
  fs.copyFileSync('sync', 'copied');
  fs.renameSync('copied', 'renamed');
  fs.truncateSync('renamed', 10);
  fs.cpSync('tree', 'copy', { recursive: true });
  console.log(fs.readdirSync('copy', { recursive: true }).length);
  fs.rmSync('copy', { recursive: true });
  console.log(child.execSync('sort -r sync | uniq -c').toString());
  console.log(await new Promise((done) => child.spawn('sh', ['-c', 'exit 6']).on('exit', done)));
  console.log(await new Promise((done) => new Worker(__filename).on('message', done)));
  try { fs.openSync('nowhere/at/all'); } catch (error) { console.log(error.code); }
  process.exitCode = 2;
}
