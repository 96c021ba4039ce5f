import { describe, expect, test } from 'vitest';
import { findSvgFaults } from './find-svg-faults.ts';

const SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const wrap = (inner: string): string => `<svg ${SVG}>${inner}</svg>`;
const OUTSIDE = 'must not refer to anything outside of itself';
const SCRIPT = 'must not hold a <script> element';

describe('a harmless picture', () => {
  test.each([
    ['shapes', wrap('<rect width="1" height="1" fill="#f00"/>')],
    [
      'a declaration and the DOCTYPE of SVG',
      `<?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
      ${wrap('<path d="M0 0h9"/>')}`,
    ],
    [
      'gradients and uses of its own parts',
      wrap('<use xlink:href="#a"/><path fill="url(#g)" style="mask: url(\'#m\')"/>'),
    ],
    ['pixels inside of it', wrap('<image href="data:image/png;base64,iVBORw0KGgo="/>')],
    ['plain styles', wrap('<style><![CDATA[ .a > .b { fill: red } ]]></style>')],
    ['comments and text', wrap('<!-- <script> --><title>Fish &amp; chips &lt;3</title>')],
    ['an animation', wrap('<animate attributeName="opacity" values="0;1" dur="1s"/>')],
    [
      'what drawing programs leave behind',
      wrap('<metadata><rdf:RDF xmlns:rdf="x"/></metadata><g inkscape:label="on top"/>'),
    ],
  ])('%s', (_, source) => {
    expect(findSvgFaults(source)).toEqual([]);
  });
});

describe('a hostile picture', () => {
  test.each([
    ['a script', wrap('<script>alert(1)</script>'), SCRIPT],
    ['a script in other letters', wrap('<sCrIpT>alert(1)</sCrIpT>'), SCRIPT],
    [
      'a script with a prefix',
      `<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script>alert(1)</s:script></s:svg>`,
      SCRIPT,
    ],
    ['a script that is never closed', wrap('<g><script href="data:,alert(1)">'), SCRIPT],
    ['a script behind a comment that ends late', wrap('<!-- > --><script/>'), SCRIPT],
    ['an event handler', `<svg ${SVG} onload="alert(1)"/>`, 'must not hold event handlers, such as onload'],
    ['a handler that follows a slash', `<svg/onload=alert(1)>`, 'must not hold event handlers, such as onload'],
    ['foreign markup', wrap('<foreignObject><p>x</p></foreignObject>'), 'must not hold a <foreignobject> element'],
    ['HTML by its namespace', wrap('<x:img xmlns:x="http://www.w3.org/1999/xhtml" src="#"/>'), 'must not hold HTML'],
    ['HTML by a namespace in code points', wrap('<p xmlns="http&#58;//www.w3.org/1999/xhtml"/>'), 'must not hold HTML'],
    ['a script address', wrap('<a href="javascript:alert(1)"/>'), 'must not hold script addresses'],
    [
      'a script address with a break',
      wrap('<a xlink:href="java&#10;script:alert(1)"/>'),
      'must not hold script addresses',
    ],
    [
      'a script address in an animation',
      wrap('<set attributeName="x" to="javascript:alert(1)"/>'),
      'must not hold script addresses',
    ],
    [
      'an animated link',
      wrap('<set attributeName="xlink:href" to="#"/>'),
      'must not animate addresses or event handlers',
    ],
    [
      'an animated handler',
      wrap('<set attributeName="onclick" to="x"/>'),
      'must not animate addresses or event handlers',
    ],
    ['a picture from elsewhere', wrap('<image href="https://evil.example/x.png"/>'), OUTSIDE],
    ['a picture beside it', wrap('<image href="x.png"/>'), OUTSIDE],
    ['a use from elsewhere', wrap('<use href="//evil.example/x.svg#a"/>'), OUTSIDE],
    ['a use of another picture in a data: address', wrap('<use href="data:image/svg+xml,x#a"/>'), OUTSIDE],
    [
      'a base from elsewhere',
      wrap('<g xml:base="https://evil.example/"><use href="#a"/></g>'),
      'must not change the base of its addresses',
    ],
    ['a fill from elsewhere', wrap('<g fill="url(https://evil.example/x.svg#a)"/>'), OUTSIDE],
    ['a fill with an escape', wrap('<g fill="u\\72l(https://evil.example/x.svg#a)"/>'), OUTSIDE],
    ['a style from elsewhere', wrap('<style>@import "https://evil.example/x.css";</style>'), OUTSIDE],
    ['a style with an escape', wrap('<style>@\\69mport "x.css";</style>'), OUTSIDE],
    ['a style with a string', wrap('<style>a{background:image-set("https://evil.example/x.png" 1x)}</style>'), OUTSIDE],
    ['a style in a CDATA section', wrap('<style><![CDATA[a{fill:url(x.svg#a)}]]></style>'), OUTSIDE],
    ['a style sheet', `<?xml-stylesheet href="x.css"?>${wrap('')}`, 'must not hold processing instructions'],
    [
      'an entity',
      `<!DOCTYPE svg [<!ENTITY x "javascript:">]>${wrap('<a href="&x;alert(1)"/>')}`,
      'must not hold declarations, but for the DOCTYPE of SVG',
    ],
    [
      'an entity of another document type',
      `<!DOCTYPE svg PUBLIC "-//W3C//DTD XHTML 1.0//EN" "x">${wrap('')}`,
      'must not hold declarations, but for the DOCTYPE of SVG',
    ],
    [
      'an attribute by declaration',
      `<!DOCTYPE svg PUBLIC "a>b" "c" [<!ATTLIST svg onload CDATA "x">]>${wrap('')}`,
      'must not hold declarations, but for the DOCTYPE of SVG',
    ],
    [
      'an entity that XML does not know',
      wrap('<a href="java&Tab;script:x"/>'),
      'must not hold entities other than those of XML',
    ],
    ['another encoding', `<?xml version="1.0" encoding="utf-7"?>${wrap('')}`, 'must be UTF-8 text'],
    ['another document', '<html><body/></html>', 'must be an SVG document'],
    ['nothing', '', 'must be an SVG document'],
  ])('%s', (_, source, fault) => {
    expect(findSvgFaults(source)).toContain(fault);
  });
});
