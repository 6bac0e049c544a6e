// A client of another library: locks, works and unlocks without a gap, with the defaults of
// node-redlock. Arguments: ports, key, hold, start and length in milliseconds.
const { default: Redlock } = require("redlock");
const { Redis } = require("ioredis");

const [ports, key, ...numbers] = process.argv.slice(2);
const [holdMillis, startAtMillis, lengthMillis] = numbers.map(Number);
const clients = ports.split(",").map((port) => new Redis({ host: "127.0.0.1", port: Number(port) }));
const redlock = new Redlock(clients);
const sleep = (millis) => new Promise((resolve) => setTimeout(resolve, millis));

async function run() {
  let [locks, failures, longestWaitMillis] = [0, 0, 0];
  redlock.on("error", () => {});
  await Promise.all(clients.map((client) => client.ping()));
  await sleep(startAtMillis - Date.now());
  while (Date.now() < startAtMillis + lengthMillis) {
    const asked = performance.now();
    const lock = await redlock.acquire([key], 30_000).catch(() => null);
    longestWaitMillis = Math.max(longestWaitMillis, performance.now() - asked);
    if (lock) {
      locks++;
      await sleep(holdMillis);
      await lock.release().catch(() => {});
    }
    else {
      failures++;
    }
  }
  console.log(`${locks} ${failures} ${Math.round(longestWaitMillis)}`);
  clients.forEach((client) => client.disconnect());
}

run();
