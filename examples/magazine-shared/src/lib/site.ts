// The site's name, its languages, and the few texts that belong to the design. All other texts come from Galley.

export const SITE_NAME = 'Deckle';

/** Pages in the default language have no language in their path. */
export const LANGUAGES = [
  { code: 'en', prefix: '', name: 'English' },
  { code: 'fr', prefix: 'fr', name: 'Français' },
] as const;

export type Language = (typeof LANGUAGES)[number]['code'];

const TEXTS = {
  en: {
    tagline: 'A magazine about paper, letters and the people who make them',
    menu: 'Main menu',
    topics: 'Topics',
    about: 'About',
    contributors: 'Contributors',
    languages: 'Languages',
    feed: 'RSS feed',
    latest: 'Latest articles',
    by: 'By',
    minutes: 'min read',
    reportedOn: 'Reported on',
    draft: 'Not published',
    keyPoints: 'In short',
    related: 'Read next',
    articlesIn: 'Articles on this topic',
    articlesBy: 'Selected articles',
    specialities: 'Specialities',
    basedIn: 'Based in',
    joinedOn: 'With us since',
    takesCommissions: 'Takes commissions',
    takes: 'Takes',
    minutesLong: 'minutes',
    links: 'See also',
    missingTitle: 'This page is not here',
    missing: 'It may have moved, or it was never printed.',
    home: 'Go to the front page',
    skip: 'Skip to content',
  },
  fr: {
    tagline: 'Le magazine du papier, des lettres et de celles et ceux qui les font',
    menu: 'Menu principal',
    topics: 'Thèmes',
    about: 'À propos',
    contributors: 'Nos plumes',
    languages: 'Langues',
    feed: 'Flux RSS',
    latest: 'Derniers articles',
    by: 'Par',
    minutes: 'min de lecture',
    reportedOn: 'Reportage du',
    draft: 'Non publié',
    keyPoints: 'En bref',
    related: 'À lire ensuite',
    articlesIn: 'Articles sur ce thème',
    articlesBy: 'Articles choisis',
    specialities: 'Spécialités',
    basedIn: 'Basée ou basé à',
    joinedOn: 'Avec nous depuis',
    takesCommissions: 'Accepte des commandes',
    takes: 'Durée :',
    minutesLong: 'minutes',
    links: 'Voir aussi',
    missingTitle: 'Cette page n’existe pas',
    missing: 'Elle a peut-être changé d’adresse.',
    home: 'Vers la une',
    skip: 'Aller au contenu',
  },
} as const satisfies Record<Language, Readonly<Record<string, string>>>;

export type Texts = (typeof TEXTS)[Language];

/** @param language any language; texts are in the default language if there is no translation */
export function chooseTexts(language: string): Texts {
  return TEXTS[parseLanguage(language)];
}

/** The site's language with this code, or its default language. */
export function parseLanguage(code: string): Language {
  return LANGUAGES.find((language) => language.code === code)?.code ?? LANGUAGES[0].code;
}

/** The language of the page at this path, which has no leading slash. */
export function findLanguage(path: string): Language {
  const [start] = path.split('/');
  return LANGUAGES.find(({ prefix }) => prefix !== '' && prefix === start)?.code ?? LANGUAGES[0].code;
}

/** The path of the front page in this language, without the leading slash. */
export function findFrontPage(language: string): string {
  return LANGUAGES.find(({ code }) => code === language)?.prefix ?? '';
}

/** @param date as in Galley's responses, such as 2026-03-01T08:00:00+00:00 */
export function formatDate(date: string, language: string): string {
  return new Date(date).toLocaleDateString(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'long',
    timeZone: 'UTC',
  });
}
