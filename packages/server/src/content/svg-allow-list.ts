// The allowed parts of an SVG image. Everything else is rejected, including new SVG elements and attributes, until somebody has
// reviewed them. Names are case-sensitive: XML distinguishes `viewBox` from `viewbox`.

function listWords(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

/** No links, no scripts, no style sheets, no HTML; no `feImage`, `metadata` or `set`. */
export const ELEMENTS = listWords(`
  svg g defs symbol use switch title desc
  path rect circle ellipse line polyline polygon text tspan textPath image
  linearGradient radialGradient stop pattern clipPath mask marker
  filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
  feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology
  feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence
  animate animateMotion animateTransform mpath
`);

/** HTML parsers read elements inside these as HTML, so only text is allowed in them. */
export const TEXT_ELEMENTS = listWords('title desc');

/** Attributes whose values browsers treat as plain text. */
export const TEXT_ATTRIBUTES = listWords(`
  id class role lang xml:lang xml:space version baseProfile data-name focusable
  aria-label aria-labelledby aria-describedby aria-hidden systemLanguage requiredFeatures
`);

/** The prefixes of attributes that drawing programs add. */
export const EDITOR_PREFIXES = listWords('inkscape sodipodi serif sketch bx');

export const REFERENCE_ATTRIBUTES = listWords('href xlink:href');

/** CSS properties, as attributes or in `style`. */
export const STYLE_PROPERTIES = listWords(`
  alignment-baseline baseline-shift clip clip-path clip-rule color color-interpolation color-interpolation-filters
  color-rendering direction display dominant-baseline enable-background fill fill-opacity fill-rule filter flood-color
  flood-opacity font font-family font-feature-settings font-kerning font-size font-size-adjust font-stretch font-style
  font-variant font-variant-alternates font-variant-caps font-variant-east-asian font-variant-ligatures
  font-variant-numeric font-variant-position font-variation-settings font-weight glyph-orientation-horizontal
  glyph-orientation-vertical image-rendering inline-size isolation kerning letter-spacing lighting-color line-height
  marker marker-end marker-mid marker-start mask mask-type mix-blend-mode opacity overflow paint-order pointer-events
  shape-inside shape-margin shape-padding shape-rendering solid-color solid-opacity stop-color stop-opacity stroke
  stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width
  text-align text-anchor text-decoration text-decoration-color text-decoration-line text-decoration-style text-indent
  text-orientation text-rendering text-transform transform transform-box transform-origin unicode-bidi vector-effect
  visibility white-space word-spacing writing-mode -inkscape-font-specification -inkscape-stroke
`);

/** Geometry, gradients, filters and animations. */
export const VALUE_ATTRIBUTES = listWords(`
  viewBox preserveAspectRatio width height x y x1 y1 x2 y2 cx cy r rx ry fx fy fr d points pathLength dx dy rotate
  textLength lengthAdjust startOffset method spacing side zoomAndPan
  gradientUnits gradientTransform spreadMethod offset patternUnits patternContentUnits patternTransform
  clipPathUnits maskUnits maskContentUnits markerUnits markerWidth markerHeight refX refY orient
  filterUnits primitiveUnits in in2 result mode type values operator k1 k2 k3 k4 tableValues slope intercept amplitude
  exponent order kernelMatrix divisor bias targetX targetY edgeMode kernelUnitLength preserveAlpha surfaceScale
  diffuseConstant specularConstant specularExponent azimuth elevation z pointsAtX pointsAtY pointsAtZ limitingConeAngle
  stdDeviation scale xChannelSelector yChannelSelector radius baseFrequency numOctaves seed stitchTiles filterRes
  attributeName attributeType begin dur end min max restart repeatCount repeatDur calcMode keyTimes keySplines keyPoints
  from to by additive accumulate path
`);

/** Functions, in CSS and in attributes, that do not fetch anything. `url` has its own rules. */
export const FUNCTIONS = listWords(`
  rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix icc-color var calc min max clamp
  matrix matrix3d translate translatex translatey translatez translate3d scale scalex scaley scale3d rotate rotatex
  rotatey rotatez skew skewx skewy perspective circle ellipse polygon inset path rect
  blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia wrap
`);

/** A prefix must have its usual namespace. With a different namespace, its attributes would have a different meaning. */
export const NAMESPACES: ReadonlyMap<string, string> = new Map([
  ['xmlns', 'http://www.w3.org/2000/svg'],
  ['xmlns:svg', 'http://www.w3.org/2000/svg'],
  ['xmlns:xlink', 'http://www.w3.org/1999/xlink'],
  ['xmlns:xml', 'http://www.w3.org/XML/1998/namespace'],
  ['xmlns:inkscape', 'http://www.inkscape.org/namespaces/inkscape'],
  ['xmlns:sodipodi', 'http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd'],
  ['xmlns:serif', 'http://www.serif.com/'],
  ['xmlns:sketch', 'http://www.bohemiancoding.com/sketch/ns'],
  ['xmlns:bx', 'https://boxy-svg.com'],
]);
