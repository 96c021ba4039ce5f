import { FrontPage } from '../components/front-page.tsx';
import { LANGUAGES } from '../lib/site.ts';

export default function Page() {
  return <FrontPage language={LANGUAGES[0].code} />;
}
