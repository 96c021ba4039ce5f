// Checks whether the service is ready, for containers and service managers. The command reads the port from the same settings as the
// service, so a health check does not have to specify it.

import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { PROGRAM } from '../program-name.ts';
import { CommandFailure } from './command-failure.ts';
import { addExamples } from './help-text.ts';
import { findServiceUrl } from './listening.ts';
import { wholeNumberOption } from './parse-option.ts';
import { printText } from './print-result.ts';
import { readServiceSettings } from './read-service-settings.ts';

/** Docker and similar tools allow five seconds for a check. */
const LONGEST_ANSWER_MS = 4000;
const PAUSE_MS = 200;

export function defineHealth(program: Command): void {
  const command = program
    .command('health')
    .summary('check whether the running service is ready')
    .description(
      'Requests /readyz from the service at GALLEY_HOST and GALLEY_PORT and prints the response. The exit status is 1 ' +
        'if the service is not ready or does not respond within 4 seconds. Use it for container health checks.',
    )
    .option(
      '--wait <seconds>',
      'keep retrying for up to this long until the service is ready',
      wholeNumberOption(0, 3600),
      0,
    )
    .action(runHealth);
  addExamples(command, [
    ['In a container', 'docker exec galley galley health'],
    ['Wait up to a minute for the service to start', `${PROGRAM} health --wait 60`],
  ]);
}

async function runHealth({ wait }: { readonly wait: number }): Promise<void> {
  const url = `${findServiceUrl(readServiceSettings())}/readyz`;
  const endsAt = performance.now() + wait * 1000;
  for (;;) {
    try {
      return printText(await askReadiness(url));
    } catch (error) {
      if (performance.now() >= endsAt) throw error;
      await pause(PAUSE_MS);
    }
  }
}

/** Returns the response if the service is ready; otherwise throws. */
async function askReadiness(url: string): Promise<string> {
  const { status, body } = await ask(url);
  if (status === 200) return body;
  throw new CommandFailure(`${url} responded with ${status}: ${body}`);
}

async function ask(url: string): Promise<{ readonly status: number | undefined; readonly body: string }> {
  try {
    const request = get(url, { signal: AbortSignal.timeout(LONGEST_ANSWER_MS) });
    const [response]: IncomingMessage[] = await once(request, 'response');
    if (response === undefined) throw new Error('no response');
    return { status: response.statusCode, body: await text(response) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(`The service is not responding at ${url}: ${why}.`, { cause: error });
  }
}
