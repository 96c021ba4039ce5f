import { LinkButton } from '../elements/link-button.tsx';
import { Page } from '../elements/page.tsx';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';

export function NotFoundPage() {
  return (
    <Page title={SHELL_TEXTS.notFoundTitle} intro={SHELL_TEXTS.notFoundText}>
      <div>
        <LinkButton to="/">{SHELL_TEXTS.toStart}</LinkButton>
      </div>
    </Page>
  );
}
