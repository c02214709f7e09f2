// One heading of a run.

export const say = (line: string): void => void process.stdout.write(`\n== ${line}\n`)
