import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Card } from '../elements/card.tsx';
import { ContentForm } from './content-form.tsx';
import { contentQuery, typesQuery } from './content-queries.ts';

const route = getRouteApi('/signed-in/sites/$site/content/$id/');

export function EditPage() {
  const { site, id } = route.useParams();
  const { data: content } = useSuspenseQuery(contentQuery(site, id));
  const {
    data: { data: types },
  } = useSuspenseQuery(typesQuery(site));
  const [fields, setFields] = useState(content.fields);
  const type = types.find(({ handle }) => handle === content.content_type);
  if (type === undefined) return null;
  return (
    <Card>
      <ContentForm site={site} type={type} types={types} fields={fields} onChange={setFields} />
    </Card>
  );
}
