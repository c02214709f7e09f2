// Mends nine defects of postgres 3.4.9 after every install, until a release has them (porsager/postgres issues 1154, 1208).
//
// 1. A write that waits for the next tick when its socket closes is thrown out of a timer, which ends the process; and
//    the connection's write timer stays armed, so the reconnected connection never writes again.
// 2. A transaction whose connection has closed goes on writing to it, also after it was opened again for somebody
//    else, whose transaction it then rolls back.
// 3. A reopened connection starts with what was left of the last answer: its error refuses the next query, its count
//    of rows puts holes before the next query's rows.
// 4. A query that was sent between the error and the close of its connection is never answered, and takes the reopened
//    connection with it.
// 5. A connection that dies while it reads the array types ends the process with an unhandled rejection.
// 6. A connection whose other end has vanished without a word is waited for until TCP gives up, which takes a quarter of
//    an hour. The option `silence` asks whether the backend still works and gives it up if it does not (silence.ts).
//    Who reads a cursor slowly is not waiting for the backend.
// 7. V8 puts a function that is written where it is assigned to a member (`this.resolve = x => …`) among the old objects at
//    once, and everything that it can see outlives the young generation with it: each query, its values and its rows,
//    until the next full collection. Named first and assigned then, it is young. (Seen from Node 24 to 26, not in 20.)
// 8. It leaves Nagle's algorithm on: what is written while an answer is awaited stays here until the other end acknowledges
//    what came before, which that may put off for 40 ms. Statements are whole when they are written.
// 9. A transaction that begins where no more may follow (`max_pipeline`) is never told its connection, and fails.

import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const SOURCE = new URL('../../node_modules/postgres/src/', import.meta.url)

/** Exact texts of the version that package.json pins: another version must be looked at again by a person. */
const MENDS = {
  'connection.js': [
    [
      `        && sent.length < max_pipeline
        && (!q.options.onexecute || q.options.onexecute(connection))`,
      `        && (q.options.onexecute ? q.options.onexecute(connection) : sent.length < max_pipeline)`
    ],
    [
      `    , final = null

  const connection = {`,
      `    , final = null
    , silence = null
    , heardAt = 0

  function listen() {
    if (silence === null && options.silence)
      silence = setTimeout(silent, options.silence.ms).unref()
  }

  function silent() {
    silence = null
    if (!socket || !(query || sent.length))
      return
    const asked = socket
        , before = heardAt
    options.silence.works(backend.pid).then(works => {
      if (socket !== asked || heardAt !== before)
        return
      if (works)
        return listen()
      asked.destroy()
      options.silence.suspect()
    })
  }

  options.silence && options.silence.idle.add(since =>
    socket && !query && !sent.length && !initial && heardAt < since && socket.destroy()
  )

  const connection = {`
    ],
    [
      `  function data(x) {
    if (incomings) {`,
      `  function data(x) {
    heardAt = performance.now()
    silence === null ? listen() : silence.refresh()
    if (incomings) {`
    ],
    [
      `    const x = socket.write(chunk, fn)
    nextWriteTimer !== null`,
      `    const x = socket.write(chunk, fn)
    listen()
    nextWriteTimer !== null`
    ],
    [
      `  function nextWrite(fn) {
    const x = socket.write(chunk, fn)`,
      `  function nextWrite(fn) {
    if (socket === null) {
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options))
      return false
    }
    const x = socket.write(chunk, fn)`
    ],
    [
      `    clearImmediate(nextWriteTimer)
    if (socket) {`,
      `    clearImmediate(nextWriteTimer)
    chunk = nextWriteTimer = null
    if (socket) {`
    ],
    [
      `    clearImmediate(nextWriteTimer)
    socket.removeListener('data', data)`,
      `    clearImmediate(nextWriteTimer)
    chunk = nextWriteTimer = null
    socket.removeListener('data', data)`
    ],
    [
      `    if (initial)
      return reconnect()

    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))
`,
      `    !initial && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))
    query = results = errorResponse = null
    result = new Result()
    rows = 0

    if (initial)
      return reconnect()

`
    ],
    [
      `      socket.on('data', data)
      keep_alive`,
      `      socket.on('data', data)
      socket.setNoDelay && socket.setNoDelay(true)
      keep_alive`
    ],
    [
      `        return fetchArrayTypes()
`,
      `        return fetchArrayTypes().catch(() => {})
`
    ],
    [
      `    closedTime = performance.now()
`,
      `    options.silence && options.silence.closed(backend.pid)
    closedTime = performance.now()
`
    ],
    [
      `      const x = await Promise.resolve(query.cursorFn(result))
`,
      `      clearTimeout(silence)
      silence = null
      const x = await Promise.resolve(query.cursorFn(result))
`
    ]
  ],
  'index.js': [
    [
      `    socket          : o.socket,
`,
      `    socket          : o.socket,
    silence         : o.silence,
`
    ],
    [
      `        new Promise((_, reject) => connection.onclose = reject)`,
      `        new Promise((_, reject) => {
          const lost = e => {
            gone = e
            while (queries.length)
              queries.shift().reject(e)
            reject(e)
          }
          connection.onclose = lost
        })`
    ],
    [
      `      c.reserved = () => queries.length
        ? c.execute(queries.shift())
        : move(c, reserved)
    }`,
      `      const next = () => queries.length
        ? c.execute(queries.shift())
        : move(c, reserved)
      c.reserved = next
    }`
    ],
    [
      `    let savepoints = 0
      , connection
      , prepare = null
`,
      `    let savepoints = 0
      , connection
      , gone = null
      , prepare = null
`
    ],
    [
      `        q.catch(e => uncaughtError || (uncaughtError = e))
        c.queue === full`,
      `        q.catch(e => uncaughtError || (uncaughtError = e))
        if (gone)
          return q.reject(gone)
        c.queue === full`
    ]
  ],
  'query.js': [
    [
      `    this.resolve = x => (this.active = false, resolve(x))
    this.reject = x => (this.active = false, reject(x))
`,
      `    const done = x => (this.active = false, resolve(x))
    const failed = x => (this.active = false, reject(x))
    this.resolve = done
    this.reject = failed
`
    ]
  ]
}

for (const [name, mends] of Object.entries(MENDS)) {
  const file = fileURLToPath(new URL(name, SOURCE))
  const before = await readFile(file, 'utf8')
  let text = before
  for (const [from, to] of mends) {
    if (text.includes(to)) continue
    if (text.split(from).length !== 2) {
      console.error(
        `${file} is not the text that server/db/mend-driver.mjs mends. Was postgres updated? Look at it.`
      )
      process.exit(1)
    }
    text = text.replace(from, () => to)
  }
  if (text !== before) await writeFile(file, text)
}
