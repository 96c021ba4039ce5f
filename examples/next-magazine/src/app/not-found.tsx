import { Frame } from '../components/frame.tsx';
import { Notice } from '../components/notice.tsx';
import { chooseTexts } from '../lib/site.ts';
import { findAccess } from '../lib/visitor.ts';

export default async function NotFound() {
  const texts = chooseTexts('en');
  return (
    <Frame language="en" access={await findAccess()}>
      <Notice kicker="404" title={texts.missingTitle} text={texts.missing} language="en" />
    </Frame>
  );
}
