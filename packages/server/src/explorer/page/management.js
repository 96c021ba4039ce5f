// The management API page: calls use the token that is pasted here, or else this browser's session with its
// CSRF token. Nothing typed here is stored.

import { connectInput, connectShowButton, fetchJson, showExplorer, showFailure } from './swagger-page.js';

const tokenInput = document.querySelector('#token');
const base = new URL('..', location.href);

connectShowButton(document.querySelector('#show-token'), tokenInput);
start().catch(showFailure);

async function start() {
  const [description, session] = await Promise.all([fetchJson('v1/openapi.json'), findSession()]);
  if (session !== null) showSession(session);
  showExplorer(description, base, {
    supportedSubmitMethods: ['get', 'post', 'put', 'patch', 'delete'],
    docExpansion: 'none',
    requestInterceptor: (request) => withCsrfToken(request, session),
    onComplete: (ui) => connectInput(ui, tokenInput, 'token'),
  });
}

/** Null if nobody is signed in. */
async function findSession() {
  const { hasSessionCookie } = await fetchJson('docs/access.json');
  if (!hasSessionCookie) return null;
  const response = await fetch('v1/session');
  const session = response.ok ? await response.json() : null;
  return typeof session?.csrf_token === 'string' ? session : null;
}

function showSession({ user }) {
  const who = user === null || user === undefined ? 'You are signed in' : `You are signed in as ${user.name}`;
  document.querySelector('#access-note').textContent =
    `${who}: calls use your session unless you paste a token. Calls are real and change your data.`;
}

/** Browsers send the session cookie automatically, so changes also need the CSRF token, which only our pages can read. */
function withCsrfToken(request, session) {
  const isRead = request.method === undefined || request.method.toUpperCase() === 'GET';
  if (session === null || isRead || tokenInput.value.trim() !== '') return request;
  return { ...request, headers: { ...request.headers, 'X-CSRF-Token': session.csrf_token } };
}
