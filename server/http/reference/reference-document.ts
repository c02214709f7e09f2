// The parts of the OpenAPI document that the reference shows.

import type { JsonSchema } from '../openapi/schemas.ts'

export type Components = Readonly<Record<string, JsonSchema>>

export type Content = Readonly<
  Record<
    string,
    {
      readonly schema: JsonSchema
      readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>
    }
  >
>

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly example?: unknown
  readonly schema: JsonSchema
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly deprecated?: true
  readonly tags: readonly string[]
  readonly security: readonly JsonSchema[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}

export interface Entry extends Operation {
  /** In capitals. */
  readonly method: string
  /** With parameters in braces. */
  readonly path: string
}

export interface Document {
  readonly info: { readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Components }
}

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
