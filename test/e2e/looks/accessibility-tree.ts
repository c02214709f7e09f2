// Reads the accessibility tree that Chromium computes, as short lines.

import type { CDPSession, Page } from 'playwright-core'

interface Value {
  readonly value?: unknown
}
interface AxNode {
  readonly nodeId: string
  readonly parentId?: string
  readonly childIds?: readonly string[]
  readonly ignored: boolean
  readonly role?: Value
  readonly name?: Value
  readonly description?: Value
  readonly value?: Value
  readonly properties?: readonly { readonly name: string; readonly value: Value }[]
}

/** Containers that say nothing by themselves, and the pieces of a text. */
const SILENT = new Set([
  'DescriptionList',
  'InlineTextBox',
  'LineBreak',
  'RootWebArea',
  'generic',
  'none',
  'paragraph',
  'sectionheader'
])
const STATES = new Set(['busy', 'disabled', 'hasPopup', 'invalid', 'level', 'live', 'modal'])
/** States that are written also if they are false. */
const EITHER = new Set(['checked', 'expanded', 'pressed'])
const OFF = new Set(['', 'false', 'off'])

const text = (value: Value | undefined): string => String(value?.value ?? '').trim()

/** Without options of a select, which belong to the page, and labels, which are the names of other nodes. */
const SKIPPED = new Set(['LabelText', 'MenuListPopup'])

/** `button "Archive all" (description) disabled=true` */
function line({ description, name, properties = [], role, value }: AxNode): string {
  const states = properties
    .map(({ name, value }) => [name, text(value)] as const)
    .filter(([name, value]) => EITHER.has(name) || (STATES.has(name) && !OFF.has(value)))
    .map(([name, value]) => `${name}=${value}`)
  const says = text(name) && JSON.stringify(text(name))
  const more = text(description) && text(description) !== text(name) ? `(${text(description)})` : ''
  const chosen = text(role) === 'combobox' ? `= ${text(value)}` : ''
  return [text(role), says, chosen, more, ...states.toSorted()].filter(Boolean).join(' ')
}

/** @returns one line a node, children indented by two spaces */
export async function treeOf(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as { nodes: readonly AxNode[] }
  await session.detach()
  const byId = new Map(nodes.map(node => [node.nodeId, node]))
  const lines: string[] = []
  /** Controls inside a label. */
  const controls = ({ childIds = [] }: AxNode): AxNode[] =>
    childIds.flatMap(id => {
      const child = byId.get(id)
      if (!child) return []
      return ['switch', 'checkbox'].includes(text(child.role)) ? [child] : controls(child)
    })
  const walk = (node: AxNode, depth: number, around: string): void => {
    const role = text(node.role)
    // Texts that are the name of a node around them are not repeated.
    const said = role === 'StaticText' && (text(node.name) === '' || around.includes(text(node.name)))
    const silent = node.ignored || SILENT.has(role) || said
    if (!silent) lines.push('  '.repeat(depth) + line(node).replace(/^StaticText/, 'text'))
    const name = node.ignored || SILENT.has(role) ? around : text(node.name)
    const inward = silent ? depth : depth + 1
    for (const id of node.childIds ?? []) {
      const child = byId.get(id)
      if (!child) continue
      const shown = SKIPPED.has(text(child.role)) ? controls(child) : [child]
      for (const next of shown) walk(next, inward, name)
    }
  }
  const root = nodes.find(({ parentId }) => parentId === undefined)
  if (root) walk(root, 0, '')
  return `${lines.join('\n')}\n`
}

const DEEPEST = `(() => {
  let at = document.activeElement
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
  return at
})()`

/** @returns role and name of the focused node: `button "Close"` */
export async function focusOf(session: CDPSession): Promise<string> {
  const { result } = await session.send('Runtime.evaluate', { expression: DEEPEST })
  if (result.objectId === undefined) return 'nothing'
  const { nodes } = (await session.send('Accessibility.getPartialAXTree', {
    fetchRelatives: false,
    objectId: result.objectId
  })) as { nodes: readonly AxNode[] }
  const [node] = nodes
  return node === undefined || node.ignored ? 'nothing' : line({ ...node, description: {} })
}
