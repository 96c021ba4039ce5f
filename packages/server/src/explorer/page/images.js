// The page about images: the parameters of the OpenAPI document, and live examples with pictures from the site's content. Nothing typed
// here is stored.

import { connectShowButton, fetchJson, showFailure } from './swagger-page.js';

const EXAMPLES = [
  ['Width', 'w=300', 'The height follows from the aspect ratio.'],
  ['Square', 'fit=crop&w=300&h=300', 'A crop keeps the focal point in view.'],
  ['Position', 'fit=crop-bottom-right&w=300&h=300', 'You can also name the part to keep.'],
  ['Padding', 'fit=fill&w=300&h=300&bg=teal', 'The whole picture, in a box of exactly this size.'],
  ['Best format', 'w=300&fm=auto', 'AVIF or WebP, if the browser accepts it.'],
  ['Smaller file', 'w=300&fm=jpg&q=30', 'JPEG at a lower quality.'],
  ['Greyscale', 'w=300&filt=greyscale', 'Or sepia.'],
  ['Brightness', 'w=300&bri=10&con=25', 'With more contrast.'],
  ['Blur', 'w=300&blur=10', 'For backgrounds.'],
  ['Pixels', 'w=300&pixel=12', 'In blocks of 12 pixels.'],
  ['Border', 'w=300&border=10,orange,shrink', 'Overlaid, or around the picture.'],
  ['Mirror and turn', 'w=300&flip=h&or=90', 'Counter-clockwise.'],
];
const FIRST_QUERY = 'w=640&fm=auto';
const THUMBNAIL = 'w=160&h=120&fit=crop&fm=webp';
const MOST_PICTURES = 24;
/** The Accept header that browsers send for pictures. Without it, `fetch` would not prefer any format. */
const ACCEPT = 'image/avif,image/webp,*/*';
const PAUSE_MS = 300;

const base = new URL('..', location.href);
const find = (selector) => document.querySelector(selector);
const keyInput = find('#api-key');
const siteInput = find('#site-id');
const queryInput = find('#query');
const note = find('#access-note');
const outcome = find('#outcome');
const result = find('#result');

let siteHeader;
let chosen = null;
let searching = new AbortController();
let loading = new AbortController();

connectShowButton(find('#show-key'), keyInput);
start().catch(showFailure);

async function start() {
  const [description, { access, hasManagement }] = await Promise.all([
    fetchJson('../openapi.json'),
    fetchJson('access.json'),
  ]);
  find('#management').hidden = !hasManagement;
  siteHeader = description.components.securitySchemes.siteId.name;
  const file = Object.values(description.paths).find(({ get }) => get.operationId === 'getFile');
  const parameters = file.get.parameters.filter((parameter) => parameter.in === 'query');
  find('#parameters').replaceChildren(...parameters.map(buildRow));
  const search = afterPause(findPictures);
  for (const input of [keyInput, siteInput]) input.addEventListener('input', search);
  queryInput.addEventListener('input', afterPause(showResult));
  connectCopyButton(find('#copy'));
  if (access === null) return;
  keyInput.value = access.token;
  siteInput.value = access.siteId;
  await findPictures();
}

function afterPause(act) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, PAUSE_MS);
  };
}

/** The delivery API has no list of assets, so the pictures come from content. */
async function findPictures() {
  const [key, site] = [keyInput.value.trim(), siteInput.value.trim()];
  if (key === '' || site === '') return;
  searching.abort();
  searching = new AbortController();
  const { signal } = searching;
  try {
    const headers = { authorization: `Bearer ${key}`, [siteHeader]: site };
    const response = await fetch(new URL('api/v1/content?limit=50', base), { headers, signal });
    const body = await response.json();
    if (response.ok) showPictures(listPictures(body));
    else note.textContent = `The content API says: ${body.message}`;
  } catch (error) {
    if (!signal.aborted) note.textContent = `The pictures could not be loaded: ${error.message}.`;
  }
}

/** All distinct pictures anywhere in a response. */
function listPictures(body) {
  const pictures = new Map();
  const visit = (value) => {
    if (typeof value !== 'object' || value === null) return;
    if (isPicture(value)) pictures.set(value.id, value);
    for (const part of Object.values(value)) visit(part);
  };
  visit(body);
  return [...pictures.values()].slice(0, MOST_PICTURES);
}

/** Excludes SVG pictures, which have no variants, and pictures on other websites. */
function isPicture({ path, mime_type: type }) {
  return typeof path === 'string' && path.startsWith('assets/') && /^image\/(?!svg)/.test(type);
}

function showPictures(pictures) {
  find('#live').hidden = pictures.length === 0;
  note.textContent =
    pictures.length === 0
      ? 'The first 50 content objects of this site have no uploaded pictures.'
      : 'These pictures are in the published content of the site. Your key is not stored anywhere.';
  const buttons = pictures.map((picture) => {
    const button = build(
      'button',
      { type: 'button', title: picture.name },
      buildPicture(picture, THUMBNAIL, picture.name),
    );
    button.addEventListener('click', () => choose(picture));
    return button;
  });
  find('#pictures').replaceChildren(...buttons);
  const choose = (picture) => {
    chosen = picture;
    for (const [index, button] of buttons.entries()) {
      button.setAttribute('aria-pressed', String(pictures[index] === picture));
    }
    find('#path').textContent = new URL(picture.path, base).pathname;
    find('#examples').replaceChildren(...EXAMPLES.map((example) => buildExample(picture, example)));
    void showResult();
  };
  if (queryInput.value === '') queryInput.value = FIRST_QUERY;
  if (pictures.length > 0) choose(pictures[0]);
}

function buildExample(picture, [title, query, text]) {
  const image = buildPicture(picture, query, '');
  const button = build(
    'button',
    { type: 'button', class: 'example' },
    build('span', { class: 'frame' }, image),
    build('strong', {}, title),
    build('code', {}, ...buildBreakable(`?${query}`)),
    build('span', {}, text),
  );
  button.addEventListener('click', () => {
    queryInput.value = query;
    void showResult();
    find('#try-title').scrollIntoView();
    queryInput.focus({ preventScroll: true });
  });
  return button;
}

/** Allows line breaks between parameters. */
function buildBreakable(query) {
  return query.split(/(?<=&)/).flatMap((part, index) => (index === 0 ? [part] : [build('wbr', {}), part]));
}

function buildPicture({ path }, query, alt) {
  const image = build('img', { alt, loading: 'lazy', decoding: 'async' });
  image.addEventListener('error', () => image.classList.add('is-missing'));
  image.src = buildUrl(path, query);
  return image;
}

function buildUrl(path, query) {
  return new URL(`${path}${query === '' ? '' : `?${query}`}`, base).href;
}

function readQuery() {
  return queryInput.value.trim().replace(/^\?/, '');
}

/** Fetches the picture, so that its type and size, or the error message, can be shown too. */
async function showResult() {
  if (chosen === null) return;
  loading.abort();
  loading = new AbortController();
  const { signal } = loading;
  const startedAt = performance.now();
  try {
    const response = await fetch(buildUrl(chosen.path, readQuery()), { headers: { accept: ACCEPT }, signal });
    const body = await response.blob();
    const ms = Math.round(performance.now() - startedAt);
    if (response.ok) await showBytes(body, ms, signal);
    else showRefusal(response.status, JSON.parse(await body.text()).message);
  } catch (error) {
    if (!signal.aborted) showRefusal('', error.message);
  }
}

async function showBytes(body, ms, signal) {
  URL.revokeObjectURL(result.src);
  result.src = URL.createObjectURL(body);
  await result.decode();
  if (signal.aborted) return;
  result.alt = chosen.description ?? chosen.name;
  result.hidden = false;
  outcome.className = '';
  const size = `${result.naturalWidth} × ${result.naturalHeight}`;
  outcome.textContent = [body.type.replace('image/', '').toUpperCase(), size, formatBytes(body.size), `${ms} ms`].join(
    ' · ',
  );
}

function showRefusal(status, message) {
  result.hidden = true;
  outcome.className = 'is-refused';
  outcome.textContent = `${status} ${message}`.trim();
}

function formatBytes(bytes) {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function connectCopyButton(button) {
  // Browsers allow clipboard access only on pages that were loaded over HTTPS or from localhost.
  button.hidden = navigator.clipboard === undefined;
  button.addEventListener('click', async () => {
    const query = readQuery();
    await navigator.clipboard.writeText(`${chosen.url}${query === '' ? '' : `?${query}`}`);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy URL';
    }, 2000);
  });
}

function buildRow({ name, description, schema }) {
  return build(
    'tr',
    {},
    build('th', { scope: 'row' }, build('code', {}, name)),
    build('td', {}, ...buildText(describeValues(schema))),
    build('td', {}, ...buildText(description)),
  );
}

function describeValues({ enum: values, minimum, maximum, description }) {
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(', ');
  return minimum === undefined ? description : `${minimum} to ${maximum}`;
}

/** Text in backquotes becomes code. */
function buildText(text) {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : build('code', {}, part)));
}

function build(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}
