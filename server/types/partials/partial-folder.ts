// The folders `layouts` and `partials` in NOTIF_TYPES_DIR, applied as the types beside them: files win over what REST has
// changed, a wrong file is named with its line, and one that goes away takes nothing with it.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { Log } from '../../core/log.ts'
import type { Db } from '../../db/db.ts'
import type { ReadText } from '../file-text.ts'
import type { Types } from '../type.ts'
import type { Checker } from './check-partials.ts'
import { isPieceFile, pieceFile, soundOf, type PieceFault, type PieceFile } from './partial-file.ts'
import { MAX_PARTIALS, PIECE_KINDS, putPiece, readPieces } from './partials.sql.ts'
import { tooMany } from './schema.ts'

export interface PieceFolderOptions {
  readonly db: Db
  readonly dir: string
  readonly envId: string
  readonly log: Log
  readonly readText: ReadText
  readonly renderer: Checker
  readonly types: Pick<Types, 'forget'>
}

export interface PieceFolder {
  /** @returns whether any piece is another one now: what used a missing one may be right */
  apply(): Promise<boolean>
}

export function openPieceFolder(options: PieceFolderOptions): PieceFolder {
  const { db, dir, envId, log, readText, renderer, types } = options
  /** Texts that were looked at, by file. */
  let seen: ReadonlyMap<string, string> = new Map()
  /** What was said about files. */
  let told: ReadonlySet<string> = new Set()

  const tell = (faults: readonly PieceFault[]): void => {
    const said = faults.map(({ detail, file, line }) => ({
      detail,
      file,
      line,
      text: `${file}:${line} ${detail}`
    }))
    for (const { detail, file, line, text } of said) {
      if (told.has(text)) continue
      log.error({ file: join(dir, file), line, problem: detail }, `${file}:${line} is wrong: ${detail}`)
    }
    told = new Set(said.map(({ text }) => text))
  }

  return {
    async apply() {
      const files = await filesIn(dir, readText)
      const texts = new Map(files.map(({ file, text }) => [file, text]))
      if (texts.size === seen.size && files.every(({ file, text }) => seen.get(file) === text)) return false
      const known = await readPieces(db, envId)
      const { faults, sound } = soundOf(files, known, renderer)
      const full: PieceFault[] = []
      let changed = false
      for (const piece of sound) {
        const { file, id, kind, text } = piece
        if (known[kind].get(id) !== text) {
          if (await putPiece(db, envId, kind, { id, text })) changed = true
          else full.push(fullOf(piece, MAX_PARTIALS))
        }
        if (seen.get(file) !== text) log.info({ file: join(dir, file) }, `${file} applied`)
      }
      tell([...faults, ...full])
      if (changed) types.forget(envId)
      seen = texts
      return changed
    }
  }
}

const fullOf = ({ file }: PieceFile, most: number): PieceFault => ({
  detail: tooMany(most),
  file,
  line: 1
})

async function filesIn(dir: string, readText: ReadText): Promise<PieceFile[]> {
  const files: PieceFile[] = []
  for (const kind of PIECE_KINDS) {
    // Most have none.
    const names = await readdir(join(dir, kind)).catch(() => [])
    for (const name of names.filter(isPieceFile).sort()) {
      const text = await readText(join(dir, kind, name))
      if (text !== undefined) files.push(pieceFile(kind, name, text))
    }
  }
  return files
}
