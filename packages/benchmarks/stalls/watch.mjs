// Preloaded into the server: measures how long each turn of its event loop takes, and on request what ran in the long ones.
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { Server } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { longTurns } from './long-turns.mjs';

const TICK_MS = 2;
const LONG_MS = Number(process.env.BENCH_LONG_MS ?? 50);
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

/** CPU time of this thread in ms; undefined where the system does not tell: a starved machine cannot be told apart. */
function threadCpuMs() {
  if (process.threadCpuUsage !== undefined) {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  }
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1e6;
  } catch {
    return undefined;
  }
}

const nowUs = () => Number(process.hrtime.bigint() / 1000n);
let turns = [];
let longestCpuMs = 0;
let last = { us: nowUs(), cpuMs: threadCpuMs() };
setInterval(() => {
  const here = { us: nowUs(), cpuMs: threadCpuMs() };
  const wallMs = (here.us - last.us) / 1000 - TICK_MS;
  const cpuMs = here.cpuMs === undefined ? wallMs : here.cpuMs - last.cpuMs;
  // Waiting is no work: a turn that has slept for long counts for what it computed.
  if (wallMs > 5) longestCpuMs = Math.max(longestCpuMs, Math.min(cpuMs, wallMs));
  if (Math.min(cpuMs, wallMs) > LONG_MS) turns.push({ start: last.us, end: here.us, cpuMs });
  last = here;
}, TICK_MS).unref();

/** Begins anew. */
function reset() {
  turns = [];
  longestCpuMs = 0;
  delay.reset();
  last = { us: nowUs(), cpuMs: threadCpuMs() };
}

// Before it listens nobody waits for it: loading modules is no stall.
const { listen } = Server.prototype;
let hasListened = false;
Server.prototype.listen = function (...args) {
  this.once('listening', () => {
    if (!hasListened) reset();
    hasListened = true;
  });
  return listen.apply(this, args);
};

let session;
const post = (method, params) =>
  new Promise((resolve, reject) =>
    session.post(method, params, (error, result) => (error === null ? resolve(result) : reject(error))),
  );

async function startProfile() {
  session?.disconnect();
  session = new Session();
  session.connect();
  await post('Profiler.enable');
  await post('Profiler.setSamplingInterval', { interval: 1000 });
  await post('Profiler.start');
}

// What runs while the process starts is seen as well.
if (process.env.BENCH_STACKS === '1') await startProfile();

const ms = (nanoseconds) => nanoseconds / 1e6;
process.on('message', async ({ command, stacks }) => {
  if (command === 'reset') {
    if (stacks) await startProfile();
    reset();
    process.send({});
    return;
  }
  const reading = { max: ms(delay.max), p99: ms(delay.percentile(99)), cpuMax: longestCpuMs, long: turns.length };
  if (session !== undefined) {
    const { profile } = await post('Profiler.stop');
    session.disconnect();
    session = undefined;
    reading.turns = longTurns(profile, turns);
  }
  process.send(reading);
});
process.channel?.unref();
