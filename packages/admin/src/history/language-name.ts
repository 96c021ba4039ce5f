const NAMES = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });

/** `French` for `fr`; the tag itself where it has no name. */
export function nameLanguage(tag: string): string {
  try {
    return NAMES.of(tag) ?? tag;
  } catch {
    return tag;
  }
}
