// All commands. Each is defined in its own file.

import { Command } from 'commander';
import { PROGRAM } from '../program-name.ts';
import { defineAuthor } from './author.ts';
import { defineBackup } from './backup.ts';
import { defineContent } from './content.ts';
import { defineCopyAssets } from './copy-assets.ts';
import { defineDoctor } from './doctor.ts';
import { defineExport } from './export.ts';
import { defineHealth } from './health.ts';
import { addExamples, configureHelpText, pointToHelp } from './help-text.ts';
import { defineImport } from './import.ts';
import { defineKey } from './key.ts';
import { defineMigrateTo } from './migrate-to.ts';
import { definePreview } from './preview.ts';
import { defineServe } from './serve.ts';
import { defineSetupLink } from './setup-link.ts';
import { defineSite } from './site.ts';
import { defineToken } from './token.ts';
import { defineTypes } from './types.ts';
import { defineUser } from './user.ts';
import { defineWebhook } from './webhook.ts';

/** The commands, in the order in which the help lists them. */
const COMMANDS = [
  defineServe,
  defineSetupLink,
  defineImport,
  defineExport,
  defineTypes,
  defineBackup,
  defineCopyAssets,
  defineMigrateTo,
  defineDoctor,
  defineHealth,
  defineSite,
  defineKey,
  definePreview,
  defineWebhook,
  defineContent,
  defineAuthor,
  defineUser,
  defineToken,
] as const;

export function buildProgram(version: string): Command {
  const program = new Command('galley')
    .description('Galley delivers published content to websites over a small read-only HTTP API.')
    .usage('<command> [options]')
    .version(version, '--version', 'print the version')
    .helpCommand('help [command...]', 'show help for a command')
    .exitOverride();
  configureHelpText(program);
  for (const define of COMMANDS) define(program);
  addExamples(program, [
    ['Run the service; the first run creates demo content', `${PROGRAM} serve`],
    ['Import your own content', `${PROGRAM} import magazine.ndjson`],
    [`Settings come from the environment and a .env file`, `GALLEY_PORT=8080 ${PROGRAM} serve`],
  ]);
  pointToHelp(program);
  return program;
}
