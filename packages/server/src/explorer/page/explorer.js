// The explorer page: Swagger UI on the API's own description, and two inputs that authorise every call.
// Nothing that is typed here is written to any storage.

const keyInput = document.querySelector('#api-key');
const siteInput = document.querySelector('#site-id');
const showButton = document.querySelector('#show-key');
const note = document.querySelector('#access-note');
const explorer = document.querySelector('#explorer');

showButton.addEventListener('click', toggleKey);
start().catch(showFailure);

function toggleKey() {
  const isShown = showButton.getAttribute('aria-pressed') !== 'true';
  showButton.setAttribute('aria-pressed', String(isShown));
  showButton.textContent = isShown ? 'Hide' : 'Show';
  keyInput.classList.toggle('is-hidden', !isShown);
}

async function start() {
  const [description, { access }] = await Promise.all([fetchJson('openapi.json'), fetchJson('docs/access.json')]);
  if (access !== null) fillIn(access);
  const ui = SwaggerUIBundle({
    domNode: explorer,
    // Calls go to the server that the page came from, whatever its public address is.
    spec: { ...description, servers: [{ url: new URL('.', location.href).pathname.replace(/\/$/, '') || '/' }] },
    plugins: [withoutAuthorizeButtons, withResponseInView],
    deepLinking: true,
    tryItOutEnabled: true,
    persistAuthorization: false,
    validatorUrl: null,
    supportedSubmitMethods: ['get', 'head'],
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    docExpansion: 'list',
    // Colouring a list of twenty articles takes a browser many seconds, in which the page stands still.
    syntaxHighlight: { activated: false },
    onComplete: () => connectAccess(ui, description.components.securitySchemes),
  });
}

async function fetchJson(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.json();
}

function fillIn({ token, siteId }) {
  keyInput.value = token;
  siteInput.value = siteId;
  note.textContent = 'The demo’s key is filled in: open “List content” and press Execute.';
}

/** The inputs at the top of the page take their place. */
function withoutAuthorizeButtons() {
  const nothing = () => null;
  return { components: { AuthorizeBtnContainer: nothing, authorizeOperationBtn: nothing, ServersContainer: nothing } };
}

/** Execute stays in reach while the parameters are read, so its answer may arrive far below. */
function withResponseInView() {
  let executed = null;
  explorer.addEventListener('click', ({ target }) => {
    if (target.closest('.execute') !== null) executed = target.closest('.opblock');
  });
  const setResponse =
    (original) =>
    (...response) => {
      const result = original(...response);
      const block = executed;
      executed = null;
      requestAnimationFrame(() => block?.querySelector('.responses-wrapper')?.scrollIntoView());
      return result;
    };
  return { statePlugins: { spec: { wrapActions: { setResponse } } } };
}

function connectAccess(ui, schemes) {
  for (const [name, { type }] of Object.entries(schemes)) {
    const input = type === 'http' ? keyInput : siteInput;
    const authorise = () => {
      const value = input.value.trim();
      if (value === '') ui.authActions.logout([name]);
      else ui.preauthorizeApiKey(name, value);
    };
    input.addEventListener('input', authorise);
    authorise();
  }
}

function showFailure(error) {
  const message = document.createElement('p');
  message.className = 'failure';
  message.setAttribute('role', 'alert');
  message.textContent = `The explorer could not be loaded: ${error.message}.`;
  explorer.replaceChildren(message);
}
