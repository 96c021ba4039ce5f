// Shared by the explorer pages: Swagger UI with our styles, and an input for a secret that is never stored.

const explorer = document.querySelector('#explorer');

/**
 * @param description the OpenAPI document
 * @param base the URL of the service for calls, even if its public URL is another one
 * @param options of Swagger UI that differ from page to page
 */
export function showExplorer(description, base, options) {
  const ui = SwaggerUIBundle({
    domNode: explorer,
    spec: { ...description, servers: [{ url: base.pathname.replace(/\/$/, '') || '/' }] },
    plugins: [withoutAuthorizeButtons, withResponseInView],
    deepLinking: true,
    tryItOutEnabled: true,
    persistAuthorization: false,
    validatorUrl: null,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    // Colouring a list of twenty articles would freeze the page for many seconds.
    syntaxHighlight: { activated: false },
    ...options,
    onComplete: () => options.onComplete(ui),
  });
}

export async function fetchJson(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.json();
}

/** The button that shows and hides the text of the input. */
export function connectShowButton(button, input) {
  button.addEventListener('click', () => {
    const isShown = button.getAttribute('aria-pressed') !== 'true';
    button.setAttribute('aria-pressed', String(isShown));
    button.textContent = isShown ? 'Hide' : 'Show';
    input.classList.toggle('is-hidden', !isShown);
  });
}

/** Authorises calls with the typed text. The document has the name of the scheme. */
export function connectInput(ui, input, scheme) {
  let isAuthorised = false;
  const authorise = () => {
    const value = input.value.trim();
    // Swagger UI fails if there is nothing to forget yet.
    if (value === '' && isAuthorised) ui.authActions.logout([scheme]);
    else if (value !== '') ui.preauthorizeApiKey(scheme, value);
    isAuthorised = value !== '';
  };
  input.addEventListener('input', authorise);
  authorise();
}

export function showFailure(error) {
  const message = document.createElement('p');
  message.className = 'failure';
  message.setAttribute('role', 'alert');
  message.textContent = `The explorer could not be loaded: ${error.message}.`;
  explorer.replaceChildren(message);
}

/** The inputs at the top of the page replace them. */
function withoutAuthorizeButtons() {
  const nothing = () => null;
  return { components: { AuthorizeBtnContainer: nothing, authorizeOperationBtn: nothing, ServersContainer: nothing } };
}

/** The Execute button stays visible while people scroll, so the response may appear far below it. */
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
