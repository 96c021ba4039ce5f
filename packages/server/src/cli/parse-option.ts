// Parses option values from text into typed values. An invalid value causes a usage error that states the rule.

import { InvalidArgumentError } from 'commander';
import { ID_RULE, isId } from '../content/ids.ts';
import {
  isPreviewPattern,
  PREVIEW_ADDRESS_RULE,
  PREVIEW_PATTERN_RULE,
  parsePreviewAddress,
} from '../content/preview-rules.ts';
import { EMAIL_RULE, isEmail, isName, isRealLanguage, NAME_RULE, REAL_LANGUAGE_RULE } from '../content/text-rules.ts';
import { parseTimestamp } from '../content/timestamp.ts';
import { parseSiteUrl, SITE_URL_RULE } from '../content/web-address.ts';
import { isWebhookUrl, WEBHOOK_URL_RULE } from '../content/webhook-rules.ts';
import { parseHost, parseWholeNumber } from '../settings/parse-setting.ts';

const DAY_PATTERN = /^\d{4}-\d{2}-\d{2}$/;

export function wholeNumberOption(least: number, most: number): (text: string) => number {
  const parse = parseWholeNumber(least, most);
  return (text) => parse(text) ?? refuse(`It must be a whole number from ${least} to ${most}.`);
}

export function hostOption(text: string): string {
  return parseHost(text) ?? refuse('It must be an IP address or a host name.');
}

export function idOption(text: string): string {
  return isId(text) ? text : refuse(`It must be ${ID_RULE}.`);
}

/** Parses an option that may be given more than once. */
export function idsOption(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, idOption(text)];
}

export function nameOption(text: string): string {
  return isName(text) ? text : refuse(`It must be ${NAME_RULE}.`);
}

export function emailOption(text: string): string {
  return isEmail(text) ? text.trim() : refuse(`It must be ${EMAIL_RULE}.`);
}

export function languageOption(text: string): string {
  return isRealLanguage(text) ? text : refuse(`It must be ${REAL_LANGUAGE_RULE}.`);
}

export function languagesOption(text: string): readonly string[] {
  const languages = text.split(',').map((part) => languageOption(part.trim()));
  return new Set(languages).size === languages.length ? languages : refuse('It must not list a language twice.');
}

export function siteUrlOption(text: string): string {
  return parseSiteUrl(text) ?? refuse(`It must be ${SITE_URL_RULE}.`);
}

/** Parses an option that may be given more than once. */
export function choicesOption<Choice extends string>(choices: readonly Choice[]) {
  return (text: string, earlier: readonly Choice[] = []): readonly Choice[] => {
    const choice = choices.find((each) => each === text) ?? refuse(`It must be one of ${choices.join(', ')}.`);
    return [...earlier, choice];
  };
}

export function previewAddressOption(text: string): string {
  return parsePreviewAddress(text) ?? refuse(`It must be ${PREVIEW_ADDRESS_RULE}.`);
}

export function previewPatternOption(text: string): string {
  return isPreviewPattern(text) ? text : refuse(`It must be ${PREVIEW_PATTERN_RULE}.`);
}

export function webhookUrlOption(text: string): string {
  return isWebhookUrl(text) ? text : refuse(`It must be ${WEBHOOK_URL_RULE}.`);
}

/** Parses an option that may be given more than once. */
export function textsOption(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, text];
}

/** A date means the end of that day in UTC, so a key still works on the day it expires. */
export function expiryOption(text: string): number {
  const time = parseTimestamp(DAY_PATTERN.test(text) ? `${text}T23:59:59.999Z` : text);
  return time ?? refuse('It must be a date such as 2027-01-31, or an ISO 8601 time such as 2027-01-31T08:00:00+00:00.');
}

function refuse(rule: string): never {
  throw new InvalidArgumentError(rule);
}
