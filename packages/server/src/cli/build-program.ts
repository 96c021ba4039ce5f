// All commands, each defined in a file of its own.

import { Command } from 'commander';
import { PROGRAM } from '../program-name.ts';
import { defineAuthorDelete } from './author-delete.ts';
import { defineBackup } from './backup.ts';
import { defineContentDelete } from './content-delete.ts';
import { defineContentPublish } from './content-publish.ts';
import { defineContentUnpublish } from './content-unpublish.ts';
import { defineDoctor } from './doctor.ts';
import { defineExport } from './export.ts';
import { defineHealth } from './health.ts';
import { addExamples, configureHelpText, pointToHelp } from './help-text.ts';
import { defineImport } from './import.ts';
import { defineKeyCreate } from './key-create.ts';
import { defineKeyList } from './key-list.ts';
import { defineKeyRevoke } from './key-revoke.ts';
import { defineMigrateTo } from './migrate-to.ts';
import { defineServe } from './serve.ts';
import { defineSetupLink } from './setup-link.ts';
import { defineSiteCreate } from './site-create.ts';
import { defineSiteDelete } from './site-delete.ts';
import { defineSiteList } from './site-list.ts';
import { defineTokenCreate } from './token-create.ts';
import { defineTokenList } from './token-list.ts';
import { defineTokenRevoke } from './token-revoke.ts';
import { defineTypes } from './types.ts';
import { defineUserCreate } from './user-create.ts';
import { defineUserDelete } from './user-delete.ts';

export function buildProgram(version: string): Command {
  const program = new Command('galley')
    .description('Galley delivers published content to web sites over a small read-only HTTP API.')
    .usage('<command> [options]')
    .version(version, '--version', 'print the version')
    .helpCommand('help [command...]', 'show the help of a command')
    .exitOverride();
  configureHelpText(program);
  defineServe(program);
  defineSetupLink(program);
  defineImport(program);
  defineExport(program);
  defineTypes(program);
  defineBackup(program);
  defineMigrateTo(program);
  defineDoctor(program);
  defineHealth(program);

  const site = defineGroup(program, 'site', 'create, list and delete sites');
  defineSiteCreate(site);
  defineSiteList(site);
  defineSiteDelete(site);

  const key = defineGroup(program, 'key', 'create, list and revoke API keys');
  defineKeyCreate(key);
  defineKeyList(key);
  defineKeyRevoke(key);

  const content = defineGroup(program, 'content', 'publish, unpublish and delete content');
  defineContentPublish(content);
  defineContentUnpublish(content);
  defineContentDelete(content);

  const author = defineGroup(program, 'author', 'delete authors');
  defineAuthorDelete(author);

  const user = defineGroup(program, 'user', 'create and delete users who can sign in');
  defineUserCreate(user);
  defineUserDelete(user);

  const token = defineGroup(program, 'token', 'create, list and revoke management tokens');
  defineTokenCreate(token);
  defineTokenList(token);
  defineTokenRevoke(token);

  addExamples(program, [
    ['Run the service, with demo content at the first start', `${PROGRAM} serve`],
    ['Bring your own content and a key to read it', `${PROGRAM} import magazine.ndjson`],
    [`Settings are read from the environment and from a file .env`, `GALLEY_PORT=8080 ${PROGRAM} serve`],
  ]);
  pointToHelp(program);
  return program;
}

function defineGroup(program: Command, name: string, summary: string): Command {
  const description = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  return program
    .command(name)
    .summary(summary)
    .description(description)
    .usage('<command> [options]')
    .helpCommand(false);
}
