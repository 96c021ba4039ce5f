// The options of `webhook create` and `webhook update`, and the settings that they stand for.

import { type Command, Option } from 'commander';
import { EVENT_KINDS, type EventKind } from '../content/webhook-event.ts';
import { findHeaderNameFault, HEADER_VALUE_RULE, isHeaderValue } from '../content/webhook-rules.ts';
import type { WebhookSettings } from '../storage/webhooks/webhooks.ts';
import { choicesOption, idsOption, languageOption, textsOption } from './parse-option.ts';

export interface SettingFlags {
  readonly name?: string;
  readonly url?: string;
  readonly kind?: readonly EventKind[];
  readonly contentType?: readonly string[];
  readonly language?: readonly string[];
  readonly header?: readonly string[];
  readonly payload?: 'light' | 'full';
  readonly batch?: boolean;
}

/** Adds the options that `create` and `update` share. */
export function addSettings(command: Command): Command {
  return command
    .option(
      '--kind <event>',
      `event to send; repeat for several: ${EVENT_KINDS.join(', ')}`,
      choicesOption(EVENT_KINDS),
    )
    .option('--content-type <handle>', 'only content of this type; repeat for several', idsOption)
    .option('--language <tag>', 'only content in this language; repeat for several', languageTags)
    .option('--header <header>', 'custom header, like "Authorization: Bearer TOKEN"; repeat for several', textsOption)
    .addOption(
      new Option('--payload <payload>', 'only ids and URIs, or the content as well').choices(['light', 'full']),
    )
    .option('--batch', 'combine all changes within 2 seconds into one call');
}

function languageTags(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, languageOption(text)];
}

/** Commander would repeat an invalid option in its message, but the value of a header is secret. */
export function readHeaders(command: Command, given: readonly string[] = []): WebhookSettings['headers'] {
  const headers = new Map<string, string>();
  for (const text of given) {
    const colon = text.indexOf(':');
    if (colon === -1) command.error('error: --header must be a name and a value, like "Authorization: Bearer TOKEN"');
    const name = text.slice(0, colon).trim().toLowerCase();
    const value = text.slice(colon + 1).trim();
    const fault = findHeaderNameFault(name) ?? (isHeaderValue(value) ? undefined : HEADER_VALUE_RULE);
    if (fault !== undefined) command.error(`error: --header ${name} ${fault}`);
    headers.set(name, value);
  }
  return Object.fromEntries(headers);
}

/** Settings whose options are omitted stay as they are. */
export function mergeFlags(known: WebhookSettings, flags: SettingFlags): WebhookSettings {
  return {
    name: flags.name ?? known.name,
    url: flags.url ?? known.url,
    kinds: flags.kind === undefined ? known.kinds : [...new Set(flags.kind)],
    types: flags.contentType === undefined ? known.types : [...new Set(flags.contentType)],
    languages: flags.language === undefined ? known.languages : [...new Set(flags.language)],
    headers: known.headers,
    payload: flags.payload ?? known.payload,
    isBatched: flags.batch ?? known.isBatched,
    isOn: known.isOn,
  };
}

export interface UpdateFlags extends SettingFlags {
  readonly allContentTypes?: true;
  readonly allLanguages?: true;
  readonly removeHeader?: readonly string[];
  readonly on?: true;
  readonly off?: true;
}

export function mergeUpdate(
  known: WebhookSettings,
  flags: UpdateFlags,
  headers: WebhookSettings['headers'],
): WebhookSettings {
  const settings = mergeFlags(known, flags);
  const removed = new Set(flags.removeHeader?.map((name) => name.toLowerCase()));
  return {
    ...settings,
    types: flags.allContentTypes === true ? null : settings.types,
    languages: flags.allLanguages === true ? null : settings.languages,
    headers: Object.fromEntries(
      Object.entries({ ...known.headers, ...headers }).filter(([name]) => !removed.has(name)),
    ),
    isOn: flags.on === true || (known.isOn && flags.off !== true),
  };
}
