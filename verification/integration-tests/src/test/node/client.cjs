// A client of node-redlock for NodeRedlockTests. Reads one command per line, answers each with
// lines that begin with its name, and ends with its input. Arguments: the ports of the lock's
// nodes with commas between, and the port of the server with the counter.
const { createInterface } = require("node:readline");
const { Redis } = require("ioredis");
const { default: Redlock, ExecutionError } = require("redlock");

const TTL_MILLIS = 30_000;
const ONE_TRY = { retryCount: 0 };
// With the default of 200 ms our client would be done before node-redlock has asked often.
const OFTEN = { retryDelay: 10, retryJitter: 5 };
const COUNTING_PAUSE_MILLIS = 1;

const [ports, counterPort] = process.argv.slice(2);
const nodes = ports.split(",").map(connect);
const counter = connect(counterPort);
const redlock = new Redlock(nodes);
const held = new Map();

const commands = {
  async try(key, ttl) {
    const lock = await acquire(key, Number(ttl), ONE_TRY);
    return lock ? keep(key, lock) : "refused";
  },

  async acquire(key, ttl) {
    let lock = await acquire(key, Number(ttl), ONE_TRY);
    if (!lock) {
      console.log("acquire: waiting");
      lock = await acquireAtLast(key, Number(ttl));
    }
    return keep(key, lock);
  },

  async release(key) {
    const lock = held.get(key);
    held.delete(key);
    return (await release(lock)) ? "released" : "refused";
  },

  async count(key, times) {
    console.log("count: begun");
    for (let i = 0; i < Number(times); i++) {
      const lock = await acquireAtLast(key, TTL_MILLIS, OFTEN);
      await increment(COUNTING_PAUSE_MILLIS);
      await release(lock);
    }
    return "done";
  },
};

function connect(port) {
  return new Redis({ host: "127.0.0.1", port: Number(port) });
}

function pause(millis) {
  return new Promise((resolve) => setTimeout(resolve, millis));
}

function keep(key, lock) {
  held.set(key, lock);
  return "held";
}

async function acquire(key, ttlMillis, settings) {
  return unlessRefused(() => redlock.acquire([key], ttlMillis, settings));
}

async function acquireAtLast(key, ttlMillis, settings) {
  for (;;) {
    const lock = await acquire(key, ttlMillis, settings);
    if (lock) {
      return lock;
    }
  }
}

async function release(lock) {
  return unlessRefused(() => lock.release());
}

async function unlessRefused(operation) {
  try {
    return await operation();
  }
  catch (error) {
    if (error instanceof ExecutionError) {
      return null;
    }
    throw error;
  }
}

async function increment(pauseMillis) {
  const value = Number(await counter.get("counter"));
  await pause(pauseMillis);
  await counter.set("counter", value + 1);
}

async function answer(line) {
  const [name, ...words] = line.split(" ");
  console.log(`${name}: ${await commands[name](...words)}`);
}

let answered = Promise.resolve();
createInterface({ input: process.stdin })
  .on("line", (line) => (answered = answered.then(() => answer(line))))
  .on("close", () => process.exit());
