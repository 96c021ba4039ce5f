import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Card } from '../elements/card.tsx';
import { contentQuery } from './content-queries.ts';

const route = getRouteApi('/signed-in/sites/$site/content/$id/');

export function EditPage() {
  const { site, id } = route.useParams();
  const { data: content } = useSuspenseQuery(contentQuery(site, id));
  return <Card>{content.slug}</Card>;
}
