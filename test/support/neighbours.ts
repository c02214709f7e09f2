// A user id with the same bucket in two environments: only the environment tells such users apart.

import { bucketOf } from '../../server/core/id.ts'

export function inOneBucket(stem: string, ...environments: readonly string[]): string {
  for (let n = 0; ; n++) {
    const id = `${stem}-${n}`
    if (new Set(environments.map(envId => bucketOf(envId, id))).size === 1) return id
  }
}
