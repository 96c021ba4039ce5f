import { expect, test } from 'vitest';
import { DisturbedLoad } from './load.ts';
import { parseWrkOutput } from './wrk-load.ts';

const NO_ERRORS = '{"connect":0,"read":0,"write":0,"status":0,"timeout":0}';
const SOME_ERRORS = '{"connect":0,"read":1,"write":0,"status":3,"timeout":0}';
const head = 'Running 1s test @ http://127.0.0.1:1\n  1 threads and 32 connections\n\n';

test('reads the results from the output of wrk', () => {
  const line = `{"requests":5000,"microseconds":2000000,"p50":900,"p99":2500,"errors":${NO_ERRORS}}`;
  expect(parseWrkOutput(`${head}${line}\n`)).toEqual({ requests: 5000, seconds: 2, p50Ms: 0.9, p99Ms: 2.5 });
});

test('allows a load test to be repeated after dropped connections, but not after wrong responses', () => {
  const broken = '{"connect":0,"read":1,"write":0,"status":0,"timeout":31}';
  const line = (errors: string): string =>
    `${head}{"requests":5000,"microseconds":2000000,"p50":900,"p99":2500,"errors":${errors}}\n`;
  expect(() => parseWrkOutput(line(broken))).toThrow(DisturbedLoad);
  expect(() => parseWrkOutput(line(SOME_ERRORS))).not.toThrow(DisturbedLoad);
});

test('rejects the results of a load test that had errors', () => {
  const line = `{"requests":5000,"microseconds":2000000,"p50":900,"p99":2500,"errors":${SOME_ERRORS}}`;
  expect(() => parseWrkOutput(`${head}${line}\n`)).toThrow('errors in 5000 requests: read 1, status 3');
});

test("reports wrk's own message when wrk cannot connect", () => {
  expect(() => parseWrkOutput('unable to connect to 127.0.0.1:1 Connection refused\n')).toThrow('Connection refused');
});
