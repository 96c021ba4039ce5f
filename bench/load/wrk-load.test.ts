import { expect, test } from 'vitest';
import { parseWrkOutput } from './wrk-load.ts';

const head = 'Running 1s test @ http://127.0.0.1:1\n  1 threads and 32 connections\n\n';

test('reads the figures from between the lines that wrk prints', () => {
  const line = '{"requests":5000,"microseconds":2000000,"errors":0,"p50":900,"p99":2500}';
  expect(parseWrkOutput(`${head}${line}\n`)).toEqual({ requests: 5000, seconds: 2, p50Ms: 0.9, p99Ms: 2.5 });
});

test('gives no figure for a load that met errors', () => {
  const line = '{"requests":5000,"microseconds":2000000,"errors":3,"p50":900,"p99":2500}';
  expect(() => parseWrkOutput(`${head}${line}\n`)).toThrow('3 errors in 5000 requests');
});

test('passes on what wrk says when it cannot connect', () => {
  expect(() => parseWrkOutput('unable to connect to 127.0.0.1:1 Connection refused\n')).toThrow('Connection refused');
});
