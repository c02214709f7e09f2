// Shows the code to paste, highlighted and filled with the values of this page.

type Token = readonly [tone: 'p' | 't' | 'a' | 's' | 'm' | '', text: string]

const attribute = (name: string, value: string): Token[] => [
  ['a', name],
  ['p', '='],
  ['s', `"${value}"`]
]

function snippetTokens(data: DOMStringMap): Token[] {
  return [
    ['p', '<'],
    ['t', 'script'],
    ['', ' '],
    ...attribute('type', 'module'),
    ['', ' '],
    ...attribute('src', `${location.origin}/notif.js`),
    ['', '\n  '],
    ...attribute('data-client-id', data['clientId'] ?? ''),
    ['', '\n  '],
    ...attribute('data-user-id', data['userId'] ?? ''),
    ['', '\n  '],
    ...attribute('data-user-hash', data['userHash'] ?? ''),
    ['', '\n'],
    ['p', '></'],
    ['t', 'script'],
    ['p', '>'],
    ['', '\n\n'],
    ['p', '<'],
    ['t', 'notif-popup'],
    ['p', '></'],
    ['t', 'notif-popup'],
    ['p', '>']
  ]
}

export function showSnippet(place: HTMLElement, copy: HTMLButtonElement, data: DOMStringMap): void {
  const parts = snippetTokens(data)
  place.append(
    ...parts.map(([tone, text]) =>
      tone === '' ? text : Object.assign(document.createElement('i'), { className: tone, textContent: text })
    )
  )
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(parts.map(([, text]) => text).join(''))
    copy.title = 'Copied'
    copy.setAttribute('aria-label', 'Copied')
  })
}
