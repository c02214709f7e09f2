// Character references of HTML as characters: the numbered ones, and the names that every version of HTML knows.

/** From U+00A0 on (HTML 4, 24.2). These alone may lack their semicolon. */
const LATIN = `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute
  micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil
  Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute
  Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute
  icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`

/** Greek letters, signs and arrows (HTML 4, 24.3 and 24.4), and what HTML 5 added that people write. */
const OTHERS = `apos ' OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ fnof ƒ circ ˆ tilde ˜ ensp \u2002 emsp \u2003 thinsp \u2009
  zwnj \u200C zwj \u200D lrm \u200E rlm \u200F ndash – mdash — lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ dagger † Dagger ‡
  bull • hellip … permil ‰ prime ′ Prime ″ lsaquo ‹ rsaquo › oline ‾ frasl ⁄ euro € image ℑ weierp ℘ real ℜ trade ™
  alefsym ℵ larr ← uarr ↑ rarr → darr ↓ harr ↔ crarr ↵ lArr ⇐ uArr ⇑ rArr ⇒ dArr ⇓ hArr ⇔ forall ∀ part ∂ exist ∃ empty ∅
  nabla ∇ isin ∈ notin ∉ ni ∋ prod ∏ sum ∑ minus − lowast ∗ radic √ prop ∝ infin ∞ ang ∠ and ∧ or ∨ cap ∩ cup ∪ int ∫
  there4 ∴ sim ∼ cong ≅ asymp ≈ ne ≠ equiv ≡ le ≤ ge ≥ sub ⊂ sup ⊃ nsub ⊄ sube ⊆ supe ⊇ oplus ⊕ otimes ⊗ perp ⊥ sdot ⋅
  lceil ⌈ rceil ⌉ lfloor ⌊ rfloor ⌋ lang ⟨ rang ⟩ loz ◊ spades ♠ clubs ♣ hearts ♥ diams ♦ Alpha Α Beta Β Gamma Γ Delta Δ
  Epsilon Ε Zeta Ζ Eta Η Theta Θ Iota Ι Kappa Κ Lambda Λ Mu Μ Nu Ν Xi Ξ Omicron Ο Pi Π Rho Ρ Sigma Σ Tau Τ Upsilon Υ Phi Φ
  Chi Χ Psi Ψ Omega Ω alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ mu μ nu ν xi ξ
  omicron ο pi π rho ρ sigmaf ς sigma σ tau τ upsilon υ phi φ chi χ psi ψ omega ω thetasym ϑ upsih ϒ piv ϖ check ✓ cross ✗
  star ☆ starf ★ phone ☎ hyphen ‐ horbar ― num # excl ! quest ? colon : semi ; comma , period . lpar ( rpar ) lsqb [ rsqb ]
  lbrace { rbrace } sol / bsol \\ equals = plus + ast * percnt % dollar $ commat @ lowbar _ grave \` vert |`

const BARE = new Map([
  ...LATIN.split(/\s+/).map((name, n) => [name, String.fromCharCode(0xa0 + n)] as const),
  ...Object.entries({ AMP: '&', GT: '>', LT: '<', QUOT: '"', amp: '&', gt: '>', lt: '<', quot: '"' })
])
const NAMED = new Map(
  // Not by \s, which takes the spaces that some of them are.
  [...OTHERS.matchAll(/(\w+) ([^\n ])/g)].map(([, name, sign]) => [name!, sign!] as const)
)
NAMED.set('Tab', '\t').set('NewLine', '\n')

const REFERENCE = /&(?:#(?:x([0-9a-f]{1,7})|(\d{1,8}))|([a-z][a-z\d]{1,7}))(;?)/gi

/** Numbers of 0x80 to 0x9f were meant for Windows (WHATWG HTML, 13.2.5.80). */
const windows = new TextDecoder('windows-1252')

function numbered(code: number): string {
  if (code >= 0x80 && code < 0xa0) return windows.decode(Uint8Array.of(code))
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return '\uFFFD'
  return String.fromCodePoint(code)
}

/** What is no reference stays as it is written. */
export const decodeEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(REFERENCE, (whole, hex?: string, decimal?: string, name?: string, end?: string) => {
        if (hex !== undefined) return numbered(Number.parseInt(hex, 16))
        if (decimal !== undefined) return numbered(Number(decimal))
        const bare = BARE.get(name!)
        if (bare !== undefined) return bare
        return (end && NAMED.get(name!)) || whole
      })
    : text

/** In an address `&copy=1` is the beginning of a parameter. */
export const decodeAddress = (address: string): string =>
  address.includes('&') ? address.replace(/&[#\w]+;/g, decodeEntities) : address
