import type { Command } from 'commander';
import type { AddressChange } from '../authoring/sites/preview-settings.ts';
import { PROGRAM } from '../program-name.ts';
import type { PreviewSettings } from '../storage/sites/preview-settings.ts';
import { CommandFailure } from './command-failure.ts';
import { addExamples, defineGroup } from './help-text.ts';
import { cleanText, createPaint } from './paint.ts';
import { idOption, nameOption, previewAddressOption, previewPatternOption } from './parse-option.ts';
import { printCreated, printJson, printText } from './print-result.ts';

export function definePreview(program: Command): void {
  const preview = defineGroup(program, 'preview', 'set where editors preview drafts, and read the preview secret');
  defineShow(preview);
  defineSet(preview);
  defineRemove(preview);
  defineRotateSecret(preview);
}

interface SiteFlags {
  readonly site: string;
  readonly json?: true;
}

const SECRET_ADVICE = [
  'The URL of a preview contains the secret. A website that checks the',
  'secret itself needs a copy of it.',
];

function defineShow(preview: Command): void {
  preview
    .command('show')
    .summary('show a site’s preview addresses and secret')
    .description('Shows the addresses at which editors preview drafts, and the secret that opens the previews.')
    .requiredOption('--site <id>', 'the site', idOption)
    .option('--json', 'print the settings as JSON')
    .action(runShow);
}

async function runShow(flags: SiteFlags): Promise<void> {
  const { findSiteActor, selectOwnPreview, withExistingStorage } = await import('./work.ts');
  const settings = await withExistingStorage(async ({ read }) =>
    read(selectOwnPreview(await read(findSiteActor(flags.site)), flags.site)),
  );
  if (settings.secret === null && !flags.json) return printText('The site has no preview address yet.');
  printSettings('Preview settings.', settings, flags);
}

interface SetFlags extends SiteFlags {
  readonly name: string;
  readonly address: string;
  readonly pattern?: string;
}

function defineSet(preview: Command): void {
  const command = preview
    .command('set')
    .summary('add or change a preview address')
    .description(
      'Adds a preview address, or changes the one with the same name, and prints all addresses and the secret. The secret is generated when the first address is added, and then stays the same.',
    )
    .requiredOption('--site <id>', 'the site', idOption)
    .requiredOption('--name <name>', 'name of the address, which editors see', nameOption)
    .requiredOption('--address <url>', 'URL of the website, like https://site.example', previewAddressOption)
    .option(
      '--pattern <pattern>',
      'URL of a preview (default: {base}/api/draft?secret={secret}&id={id})',
      previewPatternOption,
    )
    .option('--json', 'print the addresses and the secret as JSON')
    .action(runSet);
  addExamples(command, [
    [
      'A website on this computer',
      `${PROGRAM} preview set --site s_demo --name "Front end" \\\n    --address http://localhost:4000`,
    ],
    [
      'A website with a different route',
      `${PROGRAM} preview set --site s_demo --name Website \\\n    --address https://site.example \\\n    --pattern "{base}/preview?id={id}&token={secret}"`,
    ],
  ]);
}

async function runSet(flags: SetFlags): Promise<void> {
  const { name, address, pattern } = flags;
  const settings = await changeAddresses(flags, (known) => {
    const before = known.find((each) => each.name === name);
    const given = { id: before?.id, name, address, pattern: pattern ?? before?.pattern ?? null };
    return before === undefined ? [...known, given] : known.map((each) => (each === before ? given : each));
  });
  printSettings('Saved the preview address.', settings, flags);
}

interface RemoveFlags extends SiteFlags {
  readonly name: string;
}

function defineRemove(preview: Command): void {
  preview
    .command('remove')
    .summary('remove a preview address')
    .description('Removes a preview address. The secret and the other addresses stay as they are.')
    .requiredOption('--site <id>', 'the site', idOption)
    .requiredOption('--name <name>', 'name of the address', nameOption)
    .option('--json', 'print the other addresses and the secret as JSON')
    .action(runRemove);
}

async function runRemove(flags: RemoveFlags): Promise<void> {
  const settings = await changeAddresses(flags, (known) => {
    const rest = known.filter(({ name }) => name !== flags.name);
    if (rest.length === known.length) throw new CommandFailure(`There is no preview address ${flags.name}.`);
    return rest;
  });
  if (flags.json) return printJson(settings);
  printText(`Removed the preview address ${flags.name}.`);
}

async function changeAddresses({ site }: SiteFlags, change: AddressChange): Promise<PreviewSettings> {
  const { createDesk, findSiteActor, updatePreviewAddresses, withExistingStorage } = await import('./work.ts');
  return withExistingStorage(async (storage) =>
    updatePreviewAddresses(createDesk(storage), await storage.read(findSiteActor(site)), site, change),
  );
}

function defineRotateSecret(preview: Command): void {
  preview
    .command('rotate-secret')
    .summary('replace the preview secret')
    .description(
      'Replaces the secret and prints the new one. The old one stops working. A website that compares the secret with its own copy accepts the old one until you update that copy.',
    )
    .requiredOption('--site <id>', 'the site', idOption)
    .option('--json', 'print the addresses and the new secret as JSON')
    .action(runRotateSecret);
}

async function runRotateSecret(flags: SiteFlags): Promise<void> {
  const { createDesk, findSiteActor, rotatePreviewSecret, withExistingStorage } = await import('./work.ts');
  const settings = await withExistingStorage(async (storage) =>
    rotatePreviewSecret(createDesk(storage), await storage.read(findSiteActor(flags.site)), flags.site),
  );
  printSettings('Replaced the preview secret.', settings, flags);
}

function printSettings(title: string, settings: PreviewSettings, { json }: SiteFlags): void {
  if (json) {
    printJson(settings);
    return;
  }
  const paint = createPaint(process.stdout);
  printCreated({
    title,
    rows: [
      ['Secret', paint('key', settings.secret ?? '')],
      ...settings.addresses.map(({ name, address, pattern }): [string, string] => [
        'Address',
        `${address} (${cleanText(name)})${pattern === null ? '' : ` ${cleanText(pattern)}`}`,
      ]),
    ],
    advice: SECRET_ADVICE,
  });
}
