// Files that stand in a send as base64: they make a body large that is small without them.

/** How many bytes of the body of a send they are. Nothing is known about the body yet. */
export function filesOf(body: unknown): number {
  const { attachments } = Object(Object(Object(body).options).email) as { readonly attachments?: unknown }
  if (!Array.isArray(attachments)) return 0
  return attachments.reduce<number>((sum, file) => {
    const { content } = Object(file) as { readonly content?: unknown }
    return typeof content === 'string' ? sum + content.length : sum
  }, 0)
}
