// Shared by the explorer pages: Swagger UI with our styles, and an input for a secret that is never stored.

const explorer = document.querySelector('#explorer');

/**
 * @param description the OpenAPI document
 * @param base the URL of the service that calls are sent to, even if its public URL is different
 * @param options Swagger UI options that differ between pages
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
    // Highlighting a list of twenty articles would freeze the page for many seconds.
    syntaxHighlight: { activated: false },
    ...options,
    onComplete: () => options.onComplete(ui),
  });
}

export async function fetchJson(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} responded with ${response.status}`);
  return response.json();
}

/** Connects the button that shows and hides the text of the input. */
export function connectShowButton(button, input) {
  button.addEventListener('click', () => {
    const isShown = button.getAttribute('aria-pressed') !== 'true';
    button.setAttribute('aria-pressed', String(isShown));
    button.textContent = isShown ? 'Hide' : 'Show';
    input.classList.toggle('is-hidden', !isShown);
  });
}

/** Authorizes calls with the typed text. The document defines the name of the scheme. */
export function connectInput(ui, input, scheme) {
  let isAuthorised = false;
  const authorise = () => {
    const value = input.value.trim();
    // Swagger UI fails if there is no authorization to remove.
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

/** Removes the Authorize buttons, which the inputs at the top of the page replace. */
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
