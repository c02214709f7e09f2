// Writes the request of a card as a program in Node, Python or Go. Each runs as it stands once the variables of the shell are set.
// A request is { method, path, credentials: admin, backEnd or none, body }; its path has the client id in braces.

const CLIENT_ID = '{clientId}'

const pretty = value => JSON.stringify(value, null, 2)

const indent = (text, spaces) => text.replaceAll('\n', `\n${' '.repeat(spaces)}`)

function toNode({ body, credentials, method, path }) {
  const token = {
    admin: '`Bearer ${process.env.ADMIN_TOKEN}`',
    backEnd: '`Basic ${btoa(`${CLIENT_ID}:${CLIENT_SECRET}`)}`',
    none: undefined
  }[credentials]
  const names = [
    ...(credentials === 'backEnd'
      ? ['CLIENT_ID', 'CLIENT_SECRET']
      : path.includes(CLIENT_ID)
        ? ['CLIENT_ID']
        : []),
    'NOTIFY_URL'
  ]
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(token ? [`headers: { authorization: ${token} }`] : []),
    ...(body === undefined ? [] : [`body: JSON.stringify(${indent(pretty(body), 2)})`])
  ]
  const rest = options.length > 0 ? `, {\n  ${options.join(',\n  ')}\n}` : ''
  return `const { ${names.join(', ')} } = process.env
const answer = await fetch(\`\${NOTIFY_URL}${path.replaceAll(CLIENT_ID, '${CLIENT_ID}')}\`${rest})
console.log(answer.status, await answer.text())`
}

// JSON is a literal of Python except for three words. Texts are skipped.
const toPythonLiteral = value =>
  pretty(value).replaceAll(
    /"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g,
    part => ({ false: 'False', null: 'None', true: 'True' })[part] ?? part
  )

function toPython({ body, credentials, method, path }) {
  const arguments_ = [
    `env["NOTIFY_URL"] + f"${path.replaceAll(CLIENT_ID, `{env['CLIENT_ID']}`)}"`,
    ...(method === (body === undefined ? 'GET' : 'POST') ? [] : [`method="${method}"`]),
    ...(credentials === 'none' ? [] : ['headers={"Authorization": token}']),
    ...(body === undefined ? [] : [`data=json.dumps(${indent(toPythonLiteral(body), 4)}).encode()`])
  ]
  const token = {
    admin: `token = f"Bearer {env['ADMIN_TOKEN']}"\n`,
    backEnd: `secret = f"{env['CLIENT_ID']}:{env['CLIENT_SECRET']}"
token = "Basic " + b64encode(secret.encode()).decode()\n`,
    none: ''
  }[credentials]
  return `${body === undefined ? '' : 'import json\n'}${credentials === 'backEnd' ? 'from base64 import b64encode\n' : ''}from os import environ as env
from urllib.request import Request, urlopen

${token}request = Request(
    ${arguments_.join(',\n    ')},
)
with urlopen(request) as answer:
    print(answer.status, answer.read().decode())`
}

// A raw text of Go has no backtick.
const toGoText = text => (text.includes('`') ? JSON.stringify(text) : `\`${text}\``)

function toGo({ body, credentials, method, path }) {
  const address = path.replaceAll(CLIENT_ID, '" + os.Getenv("CLIENT_ID") + "')
  const uses = ['fmt', 'io', 'net/http', 'os', ...(body === undefined ? [] : ['strings'])]
  const token = {
    admin: '\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("ADMIN_TOKEN"))\n',
    backEnd: '\trequest.SetBasicAuth(os.Getenv("CLIENT_ID"), os.Getenv("CLIENT_SECRET"))\n',
    none: ''
  }[credentials]
  const reader = body === undefined ? 'nil' : `strings.NewReader(${toGoText(pretty(body))})`
  return `package main

import (
${uses.map(name => `\t"${name}"`).join('\n')}
)

func main() {
\taddress := os.Getenv("NOTIFY_URL") + "${address}"
\trequest, err := http.NewRequest("${method}", address, ${reader})
\tif err != nil {
\t\tpanic(err)
\t}
${token}\tanswer, err := http.DefaultClient.Do(request)
\tif err != nil {
\t\tpanic(err)
\t}
\tdefer answer.Body.Close()
\ttext, _ := io.ReadAll(answer.Body)
\tfmt.Println(answer.StatusCode, string(text))
}`
}

const WRITERS = { go: toGo, node: toNode, python: toPython }

const WORDS = {
  go: String.raw`\b(?:defer|func|if|import|nil|package)\b`,
  node: String.raw`\b(?:await|const|true|false|null)\b`,
  python: String.raw`\b(?:as|from|import|with|True|False|None)\b`
}
const TEXT = '"(?:[^"\\\\\\n]|\\\\.)*"|`[^`]*`'
const QUOTED = `'(?:[^'\\\\\\n]|\\\\.)*'`

/** Returns a text of JSON as nodes, with the marks of the style sheet. */
export const renderJson = value => mark(pretty(value), TEXT, String.raw`\b(?:true|false|null)\b`)

/** Returns the program as nodes, with the marks of the style sheet. */
export const renderSample = (language, request) =>
  mark(WRITERS[language](request), language === 'node' ? `${TEXT}|${QUOTED}` : TEXT, WORDS[language])

/** @param text, words - patterns */
function mark(code, text, words) {
  const pattern = new RegExp(
    String.raw`(?<key>"(?:[^"\\]|\\.)*"(?=:))|(?<text>${text})|(?<word>${words})|(?<number>(?<![\w.-])-?\d+(?:\.\d+)?(?![\w.-]))`,
    'g'
  )
  const nodes = []
  let end = 0
  for (const match of code.matchAll(pattern)) {
    const mark = document.createElement('span')
    mark.className = Object.keys(match.groups).find(name => match.groups[name] !== undefined)
    mark.textContent = match[0]
    nodes.push(code.slice(end, match.index), mark)
    end = match.index + match[0].length
  }
  return [...nodes, code.slice(end)]
}
