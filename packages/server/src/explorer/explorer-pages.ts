// The HTML of the explorer's pages: one frame, with the navigation and the access fields, around each page's contents. All URLs are
// relative to the page, so they also work under a prefix that a proxy removes.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const PAGE_FOLDER = join(import.meta.dirname, 'page');

export interface ExplorerPage {
  readonly url: string;
  readonly name: string;
  /** The URL of the API's OpenAPI document. */
  readonly document: string;
  readonly styles: readonly string[];
  readonly script: string;
  readonly usesSwagger: boolean;
  readonly secret: SecretInput;
  readonly hasSiteInput: boolean;
  /** A sentence that says what happens to the secret. */
  readonly note: string;
  /** The file with the contents of the page. By default, a script fills them in. */
  readonly contents?: string;
}

interface SecretInput {
  readonly id: string;
  readonly buttonId: string;
  readonly label: string;
  readonly placeholder: string;
}

const API_KEY: SecretInput = {
  id: 'api-key',
  buttonId: 'show-key',
  label: 'API key',
  placeholder: 'Paste a key',
};
const API_STYLES = ['explorer', 'operations', 'parameters', 'responses', 'schemas'];

export const CONTENT_PAGE: ExplorerPage = {
  url: '/docs',
  name: 'Content API',
  document: '/openapi.json',
  styles: [...API_STYLES, 'narrow-and-wide'],
  script: 'explorer',
  usesSwagger: true,
  secret: API_KEY,
  hasSiteInput: true,
  note: 'Used for all calls on this page and not stored anywhere.',
};

export const IMAGES_PAGE: ExplorerPage = {
  url: '/docs/images',
  name: 'Images',
  document: '/openapi.json',
  styles: ['explorer', 'images'],
  script: 'images',
  usesSwagger: false,
  secret: API_KEY,
  hasSiteInput: true,
  note: 'Paste a key and a site ID to see the pictures in the site’s published content. The key and the ID are not stored anywhere.',
  contents: 'images.html',
};

export const MANAGEMENT_PAGE: ExplorerPage = {
  url: '/manage/docs',
  name: 'Management API',
  document: '/manage/v1/openapi.json',
  styles: [...API_STYLES, 'management', 'narrow-and-wide'],
  script: 'management',
  usesSwagger: true,
  secret: { id: 'token', buttonId: 'show-token', label: 'Management token', placeholder: 'Paste a token' },
  hasSiteInput: false,
  note: 'Used for all calls on this page and not stored anywhere. Calls are real and change your data.',
};

const NO_CONTENTS = '<div id="explorer" class="measure"><p class="waiting">Loading the API’s description…</p></div>';

/** @returns an HTML document */
export async function renderExplorerPage(page: ExplorerPage): Promise<string> {
  const { url, name, styles, script, usesSwagger, contents } = page;
  const toRoot = '../'.repeat(url.split('/').length - 2);
  const locate = (path: string): string => `${toRoot}${path.slice(1)}`;
  const stylesheets = styles.map((style) => `<link rel="stylesheet" href="${locate(`/docs/${style}.css`)}">`);
  const swagger = usesSwagger ? [`<script defer src="${locate('/docs/swagger-ui-bundle.js')}"></script>`] : [];
  const document = `<a href="${locate(page.document)}">openapi.json</a>`;
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${name} · Galley API explorer</title>
  <link rel="icon" type="image/svg+xml" href="${locate('/docs/icon.svg')}">
  ${[...stylesheets, ...swagger].join('\n  ')}
  <script type="module" src="${locate(`/docs/${script}.js`)}"></script>
</head>
<body>
${renderMasthead(page, locate)}
${renderAccess(page)}
${contents === undefined ? NO_CONTENTS : await readFile(join(PAGE_FOLDER, contents), 'utf8')}
<noscript><p class="measure">The explorer needs JavaScript. The API’s description is at ${document}.</p></noscript>
</body>
</html>
`;
}

function renderMasthead(page: ExplorerPage, locate: (path: string) => string): string {
  const links = [CONTENT_PAGE, IMAGES_PAGE, MANAGEMENT_PAGE].map(({ url, name }) => {
    // The scripts of the other pages show this link if the management API is served.
    const trait =
      url === page.url ? ' aria-current="page"' : url === MANAGEMENT_PAGE.url ? ' id="management" hidden' : '';
    return `<a href="${locate(url)}"${trait}>${name}</a>`;
  });
  return `<header class="masthead">
  <div class="measure">
    <a class="brand" href="${locate(page.url)}"><img src="${locate('/docs/icon.svg')}" alt="" width="28" height="28">Galley</a>
    <span class="section">API explorer</span>
    <nav aria-label="APIs">
      ${links.join('\n      ')}
    </nav>
    <a class="document" href="${locate(page.document)}">openapi.json</a>
  </div>
</header>`;
}

function renderAccess({ secret, hasSiteInput, note }: ExplorerPage): string {
  const { id, buttonId, label, placeholder } = secret;
  const siteInput = `
      <div class="input">
        <label for="site-id">Site ID</label>
        ${renderInput('site-id', 'Paste a site ID')}
      </div>`;
  return `<section class="access" aria-labelledby="access-title">
  <div class="measure">
    <h2 id="access-title">Access</h2>
    <div class="inputs">
      <div class="input">
        <label for="${id}">${label}</label>
        <div class="secret">
          ${renderInput(id, placeholder, ' class="is-hidden"')}
          <button id="${buttonId}" type="button" aria-pressed="false" aria-controls="${id}">Show</button>
        </div>
      </div>${hasSiteInput ? siteInput : ''}
    </div>
    <p id="access-note" role="status">${note}</p>
  </div>
</section>`;
}

function renderInput(id: string, placeholder: string, trait = ''): string {
  return `<input id="${id}"${trait} type="text" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="${placeholder}" aria-describedby="access-note">`;
}
