import { expect, test } from 'vitest';
import { readXml } from './read-xml.ts';
import { sanitiseSvg } from './sanitise-svg.ts';

const START = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">';

/** Sanitises a picture within a plain root element. */
function sanitise(inside: string): string {
  const clean = sanitiseSvg(`<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`);
  if (!clean.ok) return clean.problem;
  expect(clean.value.startsWith(START)).toBe(true);
  return clean.value.slice(START.length, -'</svg>'.length);
}

test.each([
  '<path d="M0 0 10 10z" fill="#f00" stroke-width="2"></path>',
  '<g transform="translate(1,2)"><circle cx="1" cy="2" r="3"></circle></g>',
  '<linearGradient id="a"><stop offset="0" stop-color="red"></stop></linearGradient><rect fill="url(#a)"></rect>',
  '<symbol id="s" viewBox="0 0 1 1"></symbol><use href="#s"></use><use xlink:href="#s"></use>',
  '<text x="1">Grüße &amp; <tspan>日本 &lt;b&gt;</tspan></text>',
  '<style>.a &gt; .b{fill:red;clip-path:url(#c)}</style>',
  '<rect style="fill:url( \'#a\' );opacity:.5"></rect>',
  '<image href="data:image/png;base64,iVBORw0KGgo="></image>',
  '<filter id="f"><feGaussianBlur in="SourceGraphic" stdDeviation="2"></feGaussianBlur></filter>',
  '<animate attributeName="opacity" from="0" to="1" dur="1s"></animate>',
  '<title>A picture</title><desc>of a house</desc>',
  '<switch><g systemLanguage="de"></g></switch>',
])('shapes are not changed: %s', (inside) => {
  expect(sanitise(inside)).toBe(inside);
});

test.each([
  ['<script>alert(1)</script>', ''],
  ['<script href="https://evil.example/x.js"/>', ''],
  ['<script><![CDATA[alert(1)]]></script>', ''],
  ['<SCRIPT>alert(1)</SCRIPT>', ''],
  ['<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>', ''],
  ['<g xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></g>', '<g></g>'],
  ['<rect onclick="alert(1)" onLoad="alert(1)" ONFOCUS="alert(1)"/>', '<rect></rect>'],
  ['<foreignObject><body onload="alert(1)"/></foreignObject>', ''],
  ['<iframe src="https://evil.example"/><embed/><object/><audio/><video/>', ''],
  ['<a href="javascript:alert(1)"><text>click</text></a>', '<text>click</text>'],
  ['<a xlink:href="https://evil.example"><rect/></a>', '<rect></rect>'],
  ['<use href="https://evil.example/a.svg#b"/>', '<use></use>'],
  ['<use href="data:image/svg+xml;base64,PHN2Zz4="/>', '<use></use>'],
  ['<image href="https://evil.example/pixel.png"/>', '<image></image>'],
  ['<image href="//evil.example/pixel.png"/>', '<image></image>'],
  ['<image href="file:///etc/passwd"/>', '<image></image>'],
  ['<image href="data:image/svg+xml;base64,PHN2Zz4="/>', '<image></image>'],
  ['<image href="data:text/html;base64,PHN2Zz4="/>', '<image></image>'],
  ['<image href="data:image/png,%3Csvg"/>', '<image></image>'],
  ['<feImage href="https://evil.example/a.png"/>', '<feImage></feImage>'],
  ['<rect fill="url(https://evil.example/#a)"/>', '<rect></rect>'],
  ['<rect fill="URL (#a)"/>', '<rect></rect>'],
  ['<rect fill="\\75rl(https://evil.example)"/>', '<rect></rect>'],
  ['<rect style="background:u/**/rl(x);fill:red"/>', '<rect style="background:u rl(x);fill:red"></rect>'],
  ['<rect style="fill:red;background:url(//evil.example)"/>', '<rect></rect>'],
  ['<rect style="background:image-set(\'https://evil.example/a\' 1x)"/>', '<rect></rect>'],
  ['<style>@import "https://evil.example/a.css"; .a{fill:red}</style>', '<style>  .a{fill:red}</style>'],
  ['<style>@font-face{src:url(data:font/woff;base64,AA)}.a{fill:red}</style>', '<style> .a{fill:red}</style>'],
  ['<style>@import/**/url(//evil.example)</style>', '<style></style>'],
  ['<style>.a{background:url(https://evil.example)}</style>', '<style></style>'],
  ['<style>.a{}&lt;/style>&lt;script>alert(1)&lt;/script></style>', '<style></style>'],
  ['<style><![CDATA[.a{}</style><script>alert(1)</script>]]></style>', '<style></style>'],
  ['<style>.a{fill:red}<script>alert(1)</script></style>', '<style>.a{fill:red}</style>'],
  ['<text>&lt;script&gt;alert(1)&lt;/script&gt;</text>', '<text>&lt;script&gt;alert(1)&lt;/script&gt;</text>'],
  ['<text><![CDATA[<script>alert(1)</script>]]></text>', '<text>&lt;script&gt;alert(1)&lt;/script&gt;</text>'],
  ['<set attributeName="href" to="javascript:alert(1)"/>', ''],
  ['<set attributeName="xlink:href" to="javascript:alert(1)"/>', ''],
  ['<animate attributeName="onclick" values="alert(1)"/>', ''],
  ['<animate attributeName="fill" values="javascript:alert(1)"/>', '<animate attributeName="fill"></animate>'],
  ['<handler type="application/ecmascript">alert(1)</handler>', ''],
  ['<metadata><rdf:RDF xmlns:rdf="x">secret</rdf:RDF></metadata>', ''],
  ['<!-- secret --><?php echo 1 ?>', ''],
  ['<rect id="a&quot; onload=&quot;alert(1)"/>', '<rect id="a&quot; onload=&quot;alert(1)"></rect>'],
  ['<rect xml:base="javascript:alert(1)" data-x="1" unknown="1"/>', '<rect></rect>'],
  ['stray text', ''],
])('%s becomes "%s"', (inside, expected) => {
  expect(sanitise(inside)).toBe(expected);
});

test('entities that a document type declares are removed without being expanded', () => {
  const bomb = `<?xml version="1.0" encoding="utf-16"?>
    <?xml-stylesheet href="https://evil.example/a.css"?>
    <!DOCTYPE svg [
      <!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;]>">
      <!ENTITY file SYSTEM "file:///etc/passwd">
    ]>
    <svg xmlns="&ns;"><text>x&b;&file;y</text></svg>`;
  expect(sanitiseSvg(bomb)).toEqual({ ok: true, value: `${START}<text>xy</text></svg>` });
});

test('elements lose their SVG namespace prefix', () => {
  const prefixed = '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:rect width="1"/><rect/><s:script/></s:svg>';
  expect(sanitiseSvg(prefixed)).toEqual({ ok: true, value: `${START}<rect width="1"></rect></svg>` });
});

test.each([
  '',
  'text',
  '<html><svg/></html>',
  '<svg',
  '<svg>',
  '<svg><g></svg>',
  '<svg></svg><svg/>',
  '<svg></svg>after',
  '<svg a="1" a="2"/>',
  '<svg a=1/>',
  '<svg a/>',
  '<svg a="<"/>',
  '<svg a="1"b="2"/>',
  '<svg>&</svg>',
  '<svg>&#0;</svg>',
  '<svg>&#xD800;</svg>',
  '<svg>&#1114112;</svg>',
  '<svg>\0</svg>',
  '<svg><![CDATA[</svg>',
  '<svg><!--</svg>',
  '<svg><!DOCTYPE svg></svg>',
  '<svg / >',
  '<g>'.repeat(300),
  '<'.repeat(2000),
  `<svg>${'<g>'.repeat(300)}${'</g>'.repeat(300)}</svg>`,
])('refuses %s', (text) => {
  expect(sanitiseSvg(text).ok).toBe(false);
});

test('the output is well-formed and does not change when it is sanitised again', () => {
  const clean = sanitiseSvg(
    `<svg viewBox="0 0 1 1"><text>a &amp; "b" ' > c</text><style>a > b { fill: red }</style><rect id='"&lt;>'/></svg>`,
  );
  if (!clean.ok) throw new Error(clean.problem);
  expect(readXml(clean.value, { open() {}, close() {}, text() {} }).ok).toBe(true);
  expect(sanitiseSvg(clean.value)).toEqual(clean);
});

test.each([
  [`<text>${'&amp;'.repeat(2000)}</text>`, `<text>${'&amp;'.repeat(2000)}</text>`],
  [`<style>${'/* '.repeat(2000)}</style>`, '<style></style>'],
  [`<style>${'@import '.repeat(2000)}</style>`, '<style></style>'],
  [`<style>${'@font-face{'.repeat(2000)}</style>`, '<style></style>'],
  [`<style>${'url( '.repeat(2000)}</style>`, '<style></style>'],
  [`<rect style="${'url(#a'.repeat(2000)}"/>`, '<rect></rect>'],
  ['<!-- x --><?x?>'.repeat(2000), ''],
  [
    `${'<g>'.repeat(250)}<text>${'a<g/>'.repeat(2000)}</text>${'</g>'.repeat(250)}`,
    `${'<g>'.repeat(250)}<text>${'a<g></g>'.repeat(2000)}</text>${'</g>'.repeat(250)}`,
  ],
])('sanitises text with thousands of repetitions: %.20s…', (inside, expected) => {
  expect(sanitise(inside)).toBe(expected);
});
