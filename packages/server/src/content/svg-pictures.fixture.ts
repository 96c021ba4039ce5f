// Pictures that must be accepted, and files that must be rejected. Each hostile file calls alert(1) in some browser and context.

const SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';

function wrap(inner: string): string {
  return `<svg ${SVG}>${inner}</svg>`;
}

function encode(source: string): string {
  return `data:image/svg+xml,${encodeURIComponent(source)}`;
}

function encodeBytes(bytes: Buffer, header = 'data:image/svg+xml;base64'): string {
  return `${header},${bytes.toString('base64')}`;
}

const IMG = '<img src="x" onerror="alert(1)"/>';
const SCRIPT = wrap('<script>alert(1)</script>');
const ENTITY_IMG = '&lt;img src=x onerror=alert(1)&gt;';

/** JavaScript's `\s` matches these, but XML and HTML do not treat them as whitespace. */
export const FALSE_BLANKS: readonly string[] = [
  ...'\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a',
  ...'\u2028\u2029\u202f\u205f\u3000\ufeff',
];

/** Picture sources, each with part of the expected fault. */
export const HOSTILE_PICTURES: readonly (readonly [name: string, source: string, reason: string])[] = [
  ['a script', SCRIPT, '<script>'],
  ['a script in mixed case', wrap('<sCrIpT>alert(1)</sCrIpT>'), '<sCrIpT>'],
  [
    'a script with a prefix',
    '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script>alert(1)</s:script></s:svg>',
    's:script',
  ],
  ['a script that is never closed', wrap('<g><script href="data:,alert(1)">'), '<script>'],
  ['a script with a URL', wrap('<script href="data:text/javascript,alert(1)"/>'), '<script>'],
  ['a script with an xlink URL', wrap('<script xlink:href="data:text/javascript,alert(1)"></script>'), '<script>'],
  ['an HTML script', wrap('<script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>'), '<script>'],
  [
    'an HTML script with a prefix',
    wrap('<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>'),
    'h:script',
  ],
  [
    'an HTML script with SVG’s own prefix',
    wrap('<svg:script xmlns:svg="http://www.w3.org/1999/xhtml">alert(1)</svg:script>'),
    'svg:script',
  ],
  ['onload on the root', `<svg ${SVG} onload="alert(1)"/>`, 'onload on <svg>'],
  ['onload in upper case', `<svg ${SVG} ONLOAD="alert(1)"/>`, 'ONLOAD'],
  ['onload after a slash', '<svg/onload=alert(1)>', 'well-formed'],
  ['onload after a slash, nested', wrap('<svg/onload=alert(1)></svg>'), 'well-formed'],
  ['onload without quotes', `<svg ${SVG} onload=alert(1)></svg>`, 'well-formed'],
  ['onload after a form feed', `<svg ${SVG}\fonload="alert(1)"/>`, 'control characters'],
  ['onload after an empty value', `<svg ${SVG} id=""onload="alert(1)"/>`, 'well-formed'],
  ['onload after a backtick', `<svg ${SVG} id=\`"\` onload="alert(1)"/>`, 'well-formed'],
  ...FALSE_BLANKS.map((blank): readonly [string, string, string] => [
    `onload in a value after U+${blank.charCodeAt(0).toString(16)}`,
    `<svg ${SVG} id=${blank}"a onload=alert(1) b"><rect/></svg>`,
    'well-formed',
  ]),
  ['onload with an escaped name', `<svg ${SVG} o&#110;load="alert(1)"/>`, 'well-formed'],
  ['onload with a prefix', `<svg ${SVG} svg:onload="alert(1)"/>`, 'svg:onload'],
  ['onbegin on an animation', wrap('<animate onbegin="alert(1)" attributeName="x" dur="1s"/>'), 'onbegin on <animate>'],
  ['onerror on an image', wrap('<image href="x" onerror="alert(1)"/>'), 'onerror on <image>'],
  ['onfocus with tabindex', wrap('<g tabindex="1" onfocus="alert(1)" autofocus=""/>'), 'onfocus'],
  ['a duplicate attribute', wrap('<path d="M0 0" d="M1 1"/>'), 'd twice'],
  [
    'foreign markup',
    wrap(`<foreignObject><body xmlns="http://www.w3.org/1999/xhtml">${IMG}</body></foreignObject>`),
    '<foreignObject>',
  ],
  ['foreign markup in lower case', wrap(`<foreignobject>${IMG}</foreignobject>`), '<foreignobject>'],
  [
    'a frame',
    wrap('<iframe xmlns="http://www.w3.org/1999/xhtml" srcdoc="&lt;script&gt;parent.alert(1)&lt;/script&gt;"/>'),
    '<iframe>',
  ],
  ['an HTML image', wrap(IMG), '<img>'],
  [
    'HTML through its namespace',
    wrap('<x:img xmlns:x="http://www.w3.org/1999/xhtml" src="x" onerror="alert(1)"/>'),
    'x:img',
  ],
  ['HTML through an escaped namespace', wrap('<g xmlns="http&#58;//www.w3.org/1999/xhtml"/>'), 'the namespace xmlns'],
  [
    'XSLT through its namespace',
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:value-of select="x"/></svg>',
    'xsl',
  ],
  ['a paragraph, which ends the picture in HTML', wrap(`<p/>${IMG}`), '<p>'],
  ['a table, which ends the picture in HTML', wrap(`<table><tr><td>${IMG}</td></tr></table>`), '<table>'],
  ['a font with a colour, which ends the picture in HTML', wrap(`<font color="red"/>${IMG}`), '<font>'],
  ['MathML', wrap(`<math><mtext><mglyph><style><!--</style>${IMG}</mglyph></mtext></math>`), '<math>'],
  [
    'MathML with an annotation',
    '<math xmlns="http://www.w3.org/1998/Math/MathML"><annotation-xml encoding="text/html"><img src="x" onerror="alert(1)"/></annotation-xml></math>',
    'SVG document',
  ],
  ['a comment that ends earlier in HTML', wrap(`<!-->${IMG}-->`), 'comments'],
  ['a comment that ends at --!> in HTML', wrap(`<!--a--!>${IMG}-->`), 'comments'],
  ['a comment that ends immediately in HTML', wrap(`<!--->${IMG}-->`), 'comments'],
  ['a comment before the picture', `<!-->${IMG}-->${wrap('')}`, 'comments'],
  ['a comment after the picture', `${wrap('')}<!-->${IMG}-->`, 'comments'],
  ['CDATA, which HTML does not support', wrap(`<desc><![CDATA[</desc>${IMG}]]></desc>`), 'CDATA'],
  ['CDATA before the picture', `<![CDATA[>${IMG}]]>${wrap('')}`, 'CDATA'],
  ['CDATA around an end tag', wrap(`<![CDATA[</svg>${IMG}]]>`), 'CDATA'],
  ['a description with markup', wrap(`<desc>${IMG}</desc>`), 'only text in <desc>'],
  ['a title with markup', wrap(`<title><svg/><g>${IMG}</g></title>`), 'only text in <title>'],
  [
    'a title whose end tag is in an attribute',
    wrap('<title><a href="</title><img src=x onerror=alert(1)>"/></title>'),
    'well-formed',
  ],
  [
    'a description with a style',
    wrap(`<desc><style><g title="</style><img src=x onerror=alert(1)>"/></style></desc>`),
    '<style>',
  ],
  [
    'a style whose end tag is in an attribute',
    wrap('<style><g title="&lt;/style&gt;&lt;img src=x onerror=alert(1)&gt;"/></style>'),
    '<style>',
  ],
  ['a style with an entity', wrap(`<style>&lt;/style&gt;${ENTITY_IMG}</style>`), '<style>'],
  ['a style with an external import', wrap('<style>@import "https://evil.example/x.css";</style>'), '<style>'],
  ['a text area', wrap(`<textarea><path id="</textarea><img src=x onerror=alert(1)>"/></textarea>`), '<textarea>'],
  [
    'a text area in a description',
    wrap(`<desc><textarea><path id="&lt;/textarea&gt;${ENTITY_IMG}"/></textarea></desc>`),
    '<textarea>',
  ],
  ['an xmp', wrap(`<desc><xmp><path id="</xmp>${IMG}"/></xmp></desc>`), '<xmp>'],
  [
    'a noscript',
    wrap(`<desc><noscript><path id="</noscript><img src=x onerror=alert(1)>"/></noscript></desc>`),
    '<noscript>',
  ],
  ['a noembed', wrap(`<desc><noembed><path id="&lt;/noembed&gt;"/></noembed></desc>`), '<noembed>'],
  ['a plaintext', wrap('<desc><plaintext/></desc>'), '<plaintext>'],
  ['a template', wrap(`<desc><template>${IMG}</template></desc>`), '<template>'],
  ['a select', wrap(`<desc><select><template><style><!--</style>${IMG}</template></select></desc>`), '<select>'],
  [
    'a form',
    wrap('<form xmlns="http://www.w3.org/1999/xhtml"><input autofocus="" onfocus="alert(1)"/></form>'),
    '<form>',
  ],
  ['an embedded document', wrap('<embed src="data:text/html,x"/><object data="x"/>'), '<embed>'],
  ['a link that runs code', wrap('<a href="javascript:alert(1)"><rect width="9" height="9"/></a>'), '<a>'],
  [
    'a link that runs code, with a line break',
    wrap('<a xlink:href="java&#10;script:alert(1)"><text y="9">x</text></a>'),
    '<a>',
  ],
  ['a use element with another picture', wrap('<use href="data:image/svg+xml,x#a"/>'), 'href on <use>'],
  ['a use element with code', wrap('<use xlink:href="javascript:alert(1)"/>'), 'xlink:href on <use>'],
  [
    'a use element with a different prefix',
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.w3.org/1999/xlink"><use inkscape:href="https://evil.example/x.svg#a"/></svg>`,
    'xmlns:inkscape',
  ],
  ['an animated link', wrap('<animate attributeName="href" values="javascript:alert(1)" dur="1s"/>'), 'animate href'],
  [
    'an animated link with a prefix',
    wrap('<animate attributeName="xlink:href" to="javascript:alert(1)" dur="1s"/>'),
    'animate xlink:href',
  ],
  ['a link changed by a set element', wrap('<set attributeName="href" to="javascript:alert(1)"/>'), '<set>'],
  ['an animated handler', wrap('<animate attributeName="onload" to="alert(1)" dur="1s"/>'), 'animate onload'],
  ['an animated style', wrap('<animate attributeName="style" to="position:fixed" dur="1s"/>'), 'animate style'],
  [
    'an SVG Tiny handler',
    wrap('<handler xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="load">alert(1)</handler>'),
    '<handler>',
  ],
  ['an external picture', wrap('<image href="https://evil.example/x.png"/>'), 'href on <image>'],
  ['an embedded SVG image', wrap('<image href="data:image/svg+xml;base64,PHN2Zy8+"/>'), 'href on <image>'],
  [
    'an external filter image',
    wrap('<filter id="f"><feImage href="https://evil.example/x.png"/></filter>'),
    '<feImage>',
  ],
  ['an external base URL', wrap('<g xml:base="https://evil.example/"><use href="#a"/></g>'), 'xml:base'],
  ['an external fill', wrap('<path fill="url(https://evil.example/x.svg#a)"/>'), 'fill on <path>'],
  ['a fill with an escaped name', wrap('<path fill="u\\72l(https://evil.example/x.svg#a)"/>'), 'fill on <path>'],
  ['a mask with a string', wrap('<path mask="image-set(&quot;https://evil.example/x.png&quot; 1x)"/>'), 'image-set('],
  ['an external URL in a style', wrap('<path style="fill:url(//evil.example/x.svg#a)"/>'), 'style on <path>'],
  [
    'a style attribute that covers the page',
    `<svg ${SVG} style="position:fixed;top:0;left:0;width:100vw"/>`,
    'set position',
  ],
  ['a style attribute with a comment', wrap('<path style="fill:red/*;*/"/>'), 'style on <path>'],
  ['an obsolete binding', wrap('<path style="-moz-binding:url(#x);behavior:url(#y)"/>'), '-moz-binding'],
  ['content that overflows the picture', `<svg ${SVG} overflow="visible"/>`, 'overflow'],
  ['a style sheet', `<?xml-stylesheet href="data:text/xsl,x" type="text/xsl"?>${wrap('')}`, 'processing instructions'],
  ['an instruction that ends earlier in HTML', wrap(`<?x >${IMG}?>`), 'processing instructions'],
  [
    'a DOCTYPE',
    `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${wrap('')}`,
    'DOCTYPE',
  ],
  ['an entity', `<!DOCTYPE svg [<!ENTITY x "&#60;script>alert(1)&#60;/script>">]>${wrap('&x;')}`, 'DOCTYPE'],
  ['an attribute in a declaration', `<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]>${wrap('')}`, 'DOCTYPE'],
  ['a declaration that ends earlier in HTML', wrap(`<!x ">${IMG}">`), 'declarations'],
  ['an HTML entity', wrap('<text>&lpar;&Tab;</text>'), 'entities'],
  ['an entity without a semicolon', wrap('<text>&ltimg src=x onerror=alert(1)&gt</text>'), 'entities'],
  [
    'a different encoding',
    `<?xml version="1.0" encoding="utf-7"?>${wrap('+ADw-script+AD4-alert(1)+ADw-/script+AD4-')}`,
    'UTF-8',
  ],
  ['a 16-bit encoding', `<?xml version="1.0" encoding="utf-16"?>${SCRIPT}`, 'UTF-8'],
  ['a NUL in a name', wrap('<scr\u0000ipt>alert(1)</scr\u0000ipt>'), 'control characters'],
  ['end tags in the wrong order', wrap(`<g><title></g>${IMG}</title>`), 'no matching start tag'],
  ['an early end of the picture', wrap(`</svg>${IMG}<svg>`), '<img>'],
  ['markup after the picture', `${wrap('')}${IMG}`, '<img>'],
  ['markup before the picture', `${IMG}${wrap('')}`, 'SVG document'],
  ['text before the picture', `x${wrap('')}`, 'well-formed'],
  ['nesting that HTML flattens', wrap(`${'<g>'.repeat(600)}<title>x</title>${'</g>'.repeat(600)}`), 'levels'],
  ['an HTML document', `<html xmlns="http://www.w3.org/1999/xhtml"><body>${IMG}</body></html>`, 'SVG document'],
  ['an empty file', '', 'SVG document'],
];

/** URLs that disguise their content. */
export const HOSTILE_ADDRESSES: readonly (readonly [name: string, address: string])[] = [
  ['base64', encodeBytes(Buffer.from(SCRIPT))],
  ['base64 with percent encoding', encodeBytes(Buffer.from(SCRIPT)).replace('P', '%50')],
  ['base64 with spaces', encodeBytes(Buffer.from(SCRIPT)).replace('PHN2', 'PH N2')],
  ['base64 with invalid characters', encodeBytes(Buffer.from(SCRIPT)).replace('PHN2', 'PH!N2')],
  ['mixed case', encode(SCRIPT).replace('data:image/svg+xml', 'DATA:Image/SVG+xml')],
  ['UTF-16 with a byte order mark', encodeBytes(Buffer.from(`\ufeff${SCRIPT}`, 'utf16le'))],
  ['UTF-16 as its charset', encodeBytes(Buffer.from(SCRIPT, 'utf16le'), 'data:image/svg+xml;charset=utf-16le;base64')],
  [
    'UTF-7 as its charset',
    `data:image/svg+xml;charset=utf-7,${encodeURIComponent(wrap('+ADw-script+AD4-alert(1)+ADw-/script+AD4-'))}`,
  ],
  ['a charset in a parameter', `data:image/svg+xml;a=";charset=utf-8";charset=utf-16,${encodeURIComponent(SCRIPT)}`],
  ['two byte order marks', encode(`\ufeff\ufeff${SCRIPT}`)],
  ['HTML', 'data:text/html,<script>alert(1)</script>'],
  ['XHTML', 'data:application/xhtml+xml,<x/>'],
  ['XML', 'data:text/xml,<x/>'],
];

/** Pictures as drawing programs write them, but without comments or style sheets. */
export const ORDINARY_PICTURES: readonly (readonly [name: string, source: string])[] = [
  ['a shape', wrap('<rect width="1" height="1" fill="#f00"/>')],
  [
    'an icon with currentColor',
    '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" class="icon icon-tabler" aria-hidden="true" role="img"><path stroke="none" d="M0 0h24v24H0z" fill="none"/><path d="M5 12l5 5l10 -10"/></svg>',
  ],
  [
    'Inkscape, plain',
    `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<svg width="210mm" height="297mm" viewBox="0 0 210 297" version="1.1" id="svg5" inkscape:version="1.3" sodipodi:docname="a.svg"
   xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
   xmlns:xlink="http://www.w3.org/1999/xlink" xmlns="http://www.w3.org/2000/svg" xmlns:svg="http://www.w3.org/2000/svg">
  <defs id="defs2"><linearGradient inkscape:collect="always" id="lg1"><stop style="stop-color:#000000;stop-opacity:1;" offset="0" id="s1" /></linearGradient>
    <linearGradient xlink:href="#lg1" id="lg2" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="9" y2="9" gradientTransform="matrix(1,0,0,1,2,3)" /></defs>
  <g inkscape:label="Layer on top" inkscape:groupmode="layer" id="layer1" style="display:inline">
    <path style="font-variation-settings:normal;opacity:1;fill:url(#lg2);fill-opacity:1;stroke:none;stroke-width:0.26;-inkscape-stroke:none;paint-order:stroke fill markers" d="m 1,2 c 3,4 5,6 7,8 z" id="p1" sodipodi:nodetypes="cc" />
    <text xml:space="preserve" style="font-size:10px;line-height:1.25;font-family:'DejaVu Sans';-inkscape-font-specification:'DejaVu Sans';text-align:center;text-anchor:middle" x="1" y="2" id="t1"><tspan sodipodi:role="line" id="ts1" x="1" y="2">Fish &amp; chips &lt;3</tspan></text>
  </g>
</svg>
`,
  ],
  [
    'Illustrator',
    `<?xml version="1.0" encoding="utf-8"?>
<svg version="1.1" id="Layer_1" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" x="0px" y="0px"
	 viewBox="0 0 512 512" style="enable-background:new 0 0 512 512;" xml:space="preserve">
<g><defs><rect id="SVGID_1_" width="512" height="512"/></defs>
<clipPath id="SVGID_2_"><use xlink:href="#SVGID_1_"  style="overflow:visible;"/></clipPath>
<path data-name="Path 1" style="clip-path:url(#SVGID_2_);fill:#FFFFFF;stroke:#000000;stroke-miterlimit:10;" d="M1,1h2v2H1z"/>
<radialGradient id="SVGID_3_" cx="1" cy="1" r="9" gradientTransform="matrix(1 0 0 -1 0 514)" gradientUnits="userSpaceOnUse"><stop  offset="0" style="stop-color:#FFF"/></radialGradient></g>
</svg>`,
  ],
  [
    'Figma',
    `<svg width="32" height="32" viewBox="0 0 32 32" fill="none" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">
<g filter="url(#filter0_d_1_2)"><mask id="mask0_1_2" style="mask-type:luminance" maskUnits="userSpaceOnUse" x="0" y="0" width="32" height="32"><path d="M32 0H0V32H32V0Z" fill="white"/></mask>
<g mask="url(#mask0_1_2)" style="mix-blend-mode:multiply"><rect width="32" height="32" rx="16" fill="url(#paint0_linear_1_2)" fill-opacity="0.4"/></g><rect width="9" height="9" fill="url(#pattern0)"/></g>
<defs><filter id="filter0_d_1_2" x="0" y="0" width="40" height="40" filterUnits="userSpaceOnUse" color-interpolation-filters="sRGB"><feFlood flood-opacity="0" result="BackgroundImageFix"/><feColorMatrix in="SourceAlpha" type="matrix" values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 127 0" result="hardAlpha"/><feOffset dy="4"/><feGaussianBlur stdDeviation="2"/><feComposite in2="hardAlpha" operator="out"/><feBlend mode="normal" in2="BackgroundImageFix" result="e1"/></filter>
<pattern id="pattern0" patternContentUnits="objectBoundingBox" width="1" height="1"><use xlink:href="#image0" transform="scale(0.5)"/></pattern>
<linearGradient id="paint0_linear_1_2" x1="0" y1="0" x2="32" y2="32" gradientUnits="userSpaceOnUse"><stop stop-color="#F00"/><stop offset="1" stop-color="#00F" stop-opacity="0"/></linearGradient>
<image id="image0" width="1" height="1" xlink:href="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="/></defs></svg>`,
  ],
  [
    'symbols',
    wrap(
      '<symbol id="a" viewBox="0 0 9 9"><title>Tick</title><desc>A &lt;tick&gt;</desc><circle cx="4" cy="4" r="4"/></symbol><use href="#a" x="1" width="9"/>',
    ),
  ],
  [
    'markers and patterns',
    wrap(
      '<marker id="m" markerWidth="3" markerHeight="3" refX="1" refY="1" orient="auto"><polygon points="0 0 3 1 0 3"/></marker><polyline points="0,0 9,9" marker-end="url(#m)"/>',
    ),
  ],
  [
    'text on a path',
    wrap(
      '<path id="p" d="M0 9h9"/><text font-family="Arial, \'Helvetica Neue\'"><textPath href="#p" startOffset="50%">Round &#x2019; and &#39; round</textPath></text>',
    ),
  ],
  [
    'a spinner',
    wrap(
      '<circle r="4" cx="9" cy="9"><animateTransform attributeName="transform" type="rotate" from="0 9 9" to="360 9 9" dur="1s" repeatCount="indefinite"/><animate attributeName="opacity" values="0;1" keyTimes="0;1" dur="1s" begin="0s"/></circle>',
    ),
  ],
  [
    'CSS functions',
    wrap(
      '<rect fill="rgba(0, 0, 0, .5)" style="transform:rotate(45deg);transform-origin:center;filter:drop-shadow(0 1px 1px rgb(0 0 0 / 40%))" clip-path="url(&quot;#a&quot;)"/>',
    ),
  ],
  [
    'nested pictures',
    wrap(
      '<svg x="1" width="9" height="9" viewBox="0 0 9 9" preserveAspectRatio="xMidYMid meet" overflow="visible"><line x1="0" y1="0" x2="9" y2="9"/></svg>',
    ),
  ],
  [
    'lights',
    wrap(
      '<filter id="l"><feTurbulence type="fractalNoise" baseFrequency="0.1" numOctaves="2"/><feDiffuseLighting lighting-color="#fff" surfaceScale="2"><feDistantLight azimuth="45" elevation="60"/></feDiffuseLighting></filter>',
    ),
  ],
  ['two languages', wrap('<switch><text systemLanguage="de">Hallo</text><text>Hello</text></switch>')],
];

export { encode as encodePicture };
