// Starts Galley and the front end, and stops both together. Arguments go to the front end: npm start -- --port 5000

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { locateProgram, prepareFrontEnd, WEB } from './prepare-front-end.js';

const programs = new Set();
let isStopping = false;

// Ctrl+C reaches both programs by itself; any other signal reaches only this one.
process.on('SIGINT', () => stop(undefined));
process.on('SIGTERM', () => stop('SIGTERM'));
process.on('SIGHUP', () => stop('SIGTERM'));

// When npm is told to stop, it tells only the shell in between.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stop('SIGTERM'), 500).unref();
}

const galley = start('@galley/server', 'galley', ['serve'], {
  // The line that says that Galley is ready has the level info.
  env: { ...process.env, GALLEY_LOG_LEVEL: 'info' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
createInterface({ input: galley.stdout }).on('line', (line) => {
  const address = readAddress(line);
  if (address === undefined) console.log(line);
  else startFrontEnd(address);
});

async function startFrontEnd(address) {
  try {
    await prepareFrontEnd(address);
    if (!isStopping) start('{{template}}', '{{template}}', ['dev', ...listOptions()], { cwd: WEB, stdio: 'inherit' });
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
    stop('SIGTERM');
  }
}

/** Later options win. */
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
    stop('SIGTERM');
  });
  return program;
}

function stop(signal) {
  if (isStopping) return;
  isStopping = true;
  if (signal !== undefined) for (const program of programs) program.kill(signal);
}

/** The address in the line that Galley logs when it is ready; undefined in every other line. */
function readAddress(line) {
  if (!line.startsWith('{')) return undefined;
  const { msg, address } = JSON.parse(line);
  return msg === 'listening' ? address : undefined;
}
