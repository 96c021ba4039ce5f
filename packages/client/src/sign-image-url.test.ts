import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { signImageSrcSet, signImageUrl } from './sign-image-url.ts';

const KEY = 'a key of this site';
const PATH = '/assets/s_1/a_1/0123456789abcdef/photo.jpg';

function computeSignature(text: string): string {
  return createHmac('sha256', KEY).update(text).digest('base64url');
}

describe('a signed URL', () => {
  test('ends with the HMAC-SHA256 of the path and the sorted parameters', async () => {
    const signature = computeSignature(`${PATH}?bg=red&border=3%2Cred&w=300`);
    expect(await signImageUrl(`https://content.example${PATH}?w=300&border=3,red&bg=red`, KEY)).toBe(
      `https://content.example${PATH}?w=300&border=3%2Cred&bg=red&s=${signature}`,
    );
  });

  test('keeps unknown parameters, and does not sign them', async () => {
    expect(await signImageUrl(`${PATH}?w=300&v=7`, KEY)).toBe(
      `${PATH}?w=300&v=7&s=${computeSignature(`${PATH}?w=300`)}`,
    );
  });

  test('still has only one signature if it is signed again', async () => {
    const once = await signImageUrl(`${PATH}?w=300`, KEY);
    expect(await signImageUrl(once, KEY)).toBe(once);
    expect(await signImageUrl(PATH, KEY)).toBe(`${PATH}?s=${computeSignature(`${PATH}?`)}`);
  });

  test('is signed for the path that browsers send', async () => {
    const signature = computeSignature('/assets/s_1/a_1/0123456789abcdef/%E5%86%99%E7%9C%9F.jpg?w=1');
    for (const name of ['写真.jpg', '%E5%86%99%E7%9C%9F.jpg']) {
      const url = await signImageUrl(`https://content.example/cms/assets/s_1/a_1/0123456789abcdef/${name}?w=1`, KEY);
      expect(new URL(url).searchParams.get('s')).toBe(signature);
    }
  });

  test('is the same as the original URL if that URL does not belong to an uploaded file', async () => {
    const url = 'https://bucket.example/photo.jpg?X-Amz-Signature=abc';
    expect(await signImageUrl(url, KEY)).toBe(url);
  });

  test.each([
    [undefined, KEY, 'The url must be a string.'],
    [PATH, undefined, "The key must be the site's image key. Is its environment variable set?"],
    [PATH, '', "The key must be the site's image key. Is its environment variable set?"],
  ])('requires a string for both arguments (%s, %s)', async (url, key, message) => {
    await expect(Reflect.apply(signImageUrl, undefined, [url, key])).rejects.toThrow(new TypeError(message));
  });
});

test('every URL in a srcset is signed', async () => {
  const [small, large] = [`${PATH}?w=400`, `${PATH}?w=800`];
  expect(await signImageSrcSet(`${small} 400w, ${large} 800w`, KEY)).toBe(
    `${small}&s=${computeSignature(small)} 400w, ${large}&s=${computeSignature(large)} 800w`,
  );
  expect(await signImageSrcSet('https://images.example/photo.jpg', KEY)).toBe('https://images.example/photo.jpg');
  await expect(Reflect.apply(signImageSrcSet, undefined, [undefined, KEY])).rejects.toThrow(
    'The srcSet must be a string.',
  );
});
