// The SVG elements and attributes that only draw. Names are case-sensitive, as in XML.

/** Their text is part of the picture or describes it. */
export const TEXT_ELEMENTS: ReadonlySet<string> = new Set(['text', 'tspan', 'textPath', 'title', 'desc']);

export const ELEMENTS: ReadonlySet<string> = new Set([
  ...TEXT_ELEMENTS,
  ...['svg', 'g', 'defs', 'symbol', 'use', 'switch', 'view', 'style', 'image', 'marker', 'pattern', 'mask', 'clipPath'],
  ...['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'linearGradient', 'radialGradient', 'stop'],
  ...['animate', 'animateMotion', 'animateTransform', 'set', 'mpath', 'filter'],
  ...['feBlend', 'feColorMatrix', 'feComponentTransfer', 'feComposite', 'feConvolveMatrix', 'feDiffuseLighting'],
  ...['feDisplacementMap', 'feDistantLight', 'feDropShadow', 'feFlood', 'feFuncA', 'feFuncB', 'feFuncG', 'feFuncR'],
  ...['feGaussianBlur', 'feImage', 'feMerge', 'feMergeNode', 'feMorphology', 'feOffset', 'fePointLight'],
  ...['feSpecularLighting', 'feSpotLight', 'feTile', 'feTurbulence'],
]);

/** These elements are removed, but their children are kept: a link does not change the picture. */
export const UNWRAPPED: ReadonlySet<string> = new Set(['a']);

export const ANIMATIONS: ReadonlySet<string> = new Set(['animate', 'animateMotion', 'animateTransform', 'set']);

export const ATTRIBUTES: ReadonlySet<string> = new Set([
  ...['id', 'class', 'style', 'lang', 'role', 'tabindex', 'xml:space', 'xml:lang', 'version', 'baseProfile'],
  ...['systemLanguage', 'viewBox', 'preserveAspectRatio', 'width', 'height', 'x', 'y', 'x1', 'y1', 'x2', 'y2'],
  ...['cx', 'cy', 'r', 'rx', 'ry', 'fx', 'fy', 'fr', 'd', 'points', 'pathLength', 'transform', 'transform-origin'],
  ...['gradientTransform', 'gradientUnits', 'spreadMethod', 'offset', 'patternUnits', 'patternContentUnits'],
  ...['patternTransform', 'maskUnits', 'maskContentUnits', 'clipPathUnits', 'markerUnits', 'markerWidth'],
  ...['markerHeight', 'refX', 'refY', 'orient', 'dx', 'dy', 'rotate', 'textLength', 'lengthAdjust', 'startOffset'],
  ...['method', 'spacing', 'side', 'media', 'type', 'viewTarget', 'zoomAndPan'],
  // Presentation
  ...['alignment-baseline', 'baseline-shift', 'clip', 'clip-path', 'clip-rule', 'color', 'color-interpolation'],
  ...['color-interpolation-filters', 'color-profile', 'color-rendering', 'direction', 'display', 'dominant-baseline'],
  ...['enable-background', 'fill', 'fill-opacity', 'fill-rule', 'filter', 'flood-color', 'flood-opacity', 'font'],
  ...['font-family', 'font-size', 'font-size-adjust', 'font-stretch', 'font-style', 'font-variant', 'font-weight'],
  ...['glyph-orientation-horizontal', 'glyph-orientation-vertical', 'image-rendering', 'isolation', 'kerning'],
  ...['letter-spacing', 'lighting-color', 'marker', 'marker-end', 'marker-mid', 'marker-start', 'mask', 'mask-type'],
  ...['mix-blend-mode', 'opacity', 'overflow', 'paint-order', 'pointer-events', 'shape-rendering', 'stop-color'],
  ...['stop-opacity', 'stroke', 'stroke-dasharray', 'stroke-dashoffset', 'stroke-linecap', 'stroke-linejoin'],
  ...['stroke-miterlimit', 'stroke-opacity', 'stroke-width', 'text-anchor', 'text-decoration', 'text-rendering'],
  ...['unicode-bidi', 'vector-effect', 'visibility', 'white-space', 'word-spacing', 'writing-mode'],
  // Filters
  ...['filterUnits', 'primitiveUnits', 'in', 'in2', 'result', 'mode', 'operator', 'k1', 'k2', 'k3', 'k4', 'values'],
  ...['tableValues', 'slope', 'intercept', 'amplitude', 'exponent', 'order', 'kernelMatrix', 'divisor', 'bias'],
  ...['targetX', 'targetY', 'edgeMode', 'kernelUnitLength', 'preserveAlpha', 'surfaceScale', 'diffuseConstant'],
  ...['specularConstant', 'specularExponent', 'limitingConeAngle', 'pointsAtX', 'pointsAtY', 'pointsAtZ', 'z'],
  ...['azimuth', 'elevation', 'scale', 'xChannelSelector', 'yChannelSelector', 'stdDeviation', 'radius'],
  ...['baseFrequency', 'numOctaves', 'seed', 'stitchTiles'],
  // Animation
  ...['attributeName', 'attributeType', 'begin', 'dur', 'end', 'min', 'max', 'restart', 'repeatCount', 'repeatDur'],
  ...['calcMode', 'keyTimes', 'keySplines', 'keyPoints', 'from', 'to', 'by', 'additive', 'accumulate'],
  ...['path', 'origin'],
]);

export const DESCRIPTION = /^aria-[a-z]+$/;
