// Language tags in the shape of BCP 47: `en`, `pt-BR`, `zh-Hant`. Whether a tag is registered is not our business.

const LANGUAGE_PATTERN = /^(?=.{1,35}$)[A-Za-z]+(?:-[A-Za-z0-9]+)*$/;

export const LANGUAGE_RULE = 'a language tag like en or pt-BR of at most 35 characters';

export function isLanguage(text: string): boolean {
  return LANGUAGE_PATTERN.test(text);
}
