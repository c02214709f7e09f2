// A log whose lines can be awaited.

import { basename } from 'node:path'
import { Writable } from 'node:stream'

import { pino } from 'pino'

interface Line {
  readonly event: string
  readonly file?: string
  readonly line?: number
  readonly detail?: string
}

/** Lines as texts: event, name of the file, line and detail. */
export function createLogListener() {
  const lines: string[] = []
  let onLine = (): void => {}
  const sink = new Writable({
    write(chunk, _encoding, done) {
      const { detail, event, file, line } = JSON.parse(String(chunk)) as Line
      lines.push([event, file && basename(file), line, detail].filter(part => part !== undefined).join(' '))
      onLine()
      done()
    }
  })
  return {
    lines,
    log: pino({ level: 'info' }, sink),
    /** The first matching line after the last one that was awaited. */
    async waitForLine(pattern: RegExp): Promise<string> {
      for (;;) {
        const at = lines.findIndex(line => pattern.test(line))
        if (at !== -1) return lines.splice(0, at + 1).at(-1)!
        await new Promise<void>(resolve => {
          onLine = resolve
        })
      }
    }
  }
}
