// The content API page: two inputs that authorize every call. Nothing typed here is stored.

import { connectInput, connectShowButton, fetchJson, showExplorer, showFailure } from './swagger-page.js';

const keyInput = document.querySelector('#api-key');
const siteInput = document.querySelector('#site-id');

connectShowButton(document.querySelector('#show-key'), keyInput);
start().catch(showFailure);

async function start() {
  const [description, { access, hasManagement }] = await Promise.all([
    fetchJson('openapi.json'),
    fetchJson('docs/access.json'),
  ]);
  document.querySelector('#management').hidden = !hasManagement;
  if (access !== null) fillIn(access);
  showExplorer(description, new URL('.', location.href), {
    supportedSubmitMethods: ['get', 'head'],
    docExpansion: 'list',
    onComplete: (ui) => {
      for (const [name, { type }] of Object.entries(description.components.securitySchemes)) {
        connectInput(ui, type === 'http' ? keyInput : siteInput, name);
      }
    },
  });
}

function fillIn({ token, siteId }) {
  keyInput.value = token;
  siteInput.value = siteId;
  document.querySelector('#access-note').textContent =
    'The demo’s API key is already filled in. Open “List content” and press Execute.';
}
