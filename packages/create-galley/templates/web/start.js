// Starts Galley and the front end, and stops both together. Arguments are passed to the front end: npm start -- --port 5000

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { locateProgram, prepareFrontEnd, WEB } from './prepare-front-end.js';

/** Galley treats signals that arrive within half a second of each other as one. */
const CTRL_C_MS = 250;

const programs = new Set();
let isStopping = false;

process.on('SIGINT', () => passOn('SIGINT'));
process.on('SIGTERM', () => passOn('SIGTERM'));
process.on('SIGHUP', () => passOn('SIGTERM'));

// When npm is stopped, it signals only the shell that runs this script. When npm is killed, it sends no signal, and the shell
// keeps running.
if (process.env.npm_lifecycle_script !== undefined) {
  const parent = process.ppid;
  const npm = findNpm(parent, process.env.npm_lifecycle_script);
  setInterval(() => (process.ppid !== parent || !isAlive(npm)) && stop(), 500).unref();
}

const galley = start('@galley/server', 'galley', ['serve'], {
  // Galley logs its ready message at the info level.
  env: { ...process.env, GALLEY_LOG_LEVEL: 'info' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
createInterface({ input: galley.stdout }).on('line', (line) => {
  const address = readAddress(line);
  if (address === undefined) console.log(line);
  else {
    console.log(`  Galley: ${address}, admin panel: ${address}/admin`);
    startFrontEnd(address);
  }
});

async function startFrontEnd(address) {
  try {
    const options = listOptions();
    await prepareFrontEnd(address, `http://localhost:${options[options.indexOf('--port') + 1]}`);
    if (!isStopping) start('{{template}}', '{{template}}', ['dev', ...options], { cwd: WEB, stdio: 'inherit' });
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
    stop();
  }
}

/** Uses port 4000 unless the user passes a different port. */
function listOptions() {
  const options = process.argv.slice(2);
  return options.includes('--port') ? options : ['--port', '4000', ...options];
}

function start(packageName, programName, args, options) {
  const program = spawn(process.execPath, [locateProgram(packageName, programName), ...args], options);
  programs.add(program);
  program.once('exit', (status) => {
    programs.delete(program);
    if (!isStopping) process.exitCode = status ?? 1;
    stop();
  });
  return program;
}

function passOn(signal) {
  // The terminal sends Ctrl+C to all programs. A program that is still running after a moment may not have received the
  // signal.
  const delay = signal === 'SIGINT' && !isStopping ? CTRL_C_MS : 0;
  isStopping = true;
  setTimeout(signalPrograms, delay, signal).unref();
}

function stop() {
  if (!isStopping) passOn('SIGTERM');
}

function signalPrograms(signal) {
  for (const program of programs) program.kill(signal);
}

/** Returns the parent process of the shell that runs the script, or `parent` if there is no such shell or it cannot be found. */
function findNpm(parent, script) {
  try {
    const words = readFileSync(`/proc/${parent}/cmdline`, 'utf8').split('\0');
    const [, above] = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${parent}/status`, 'utf8'));
    return words.some((word) => word.startsWith(script)) ? Number(above) : parent;
  } catch {
    return parent;
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

/** Returns the address from the line that Galley logs when it is ready, and undefined for every other line. */
function readAddress(line) {
  try {
    const { msg, address } = JSON.parse(line);
    return msg === 'listening' ? address : undefined;
  } catch {
    return undefined;
  }
}
