// Work of several: the first of them begins it, and the last ends it.

export function shared(begin: () => () => void): () => () => void {
  let users = 0
  let end: () => void
  return () => {
    if (users++ === 0) end = begin()
    return () => {
      if (--users === 0) end()
    }
  }
}
