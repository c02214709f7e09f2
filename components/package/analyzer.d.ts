// Types of the parts of the analyzer and its compiler that the build uses: the analyzer does not declare them.

declare module '@custom-elements-manifest/analyzer' {
  interface Node {
    getText(): string
  }
  interface Member extends Node {
    readonly name?: Node
    readonly modifiers?: readonly Node[]
  }
  interface ClassDeclaration extends Node {
    readonly name?: { readonly text: string }
    readonly members: readonly Member[]
  }
  interface CallExpression extends Node {
    readonly expression: Node
    readonly arguments: readonly Node[]
  }
  export const ts: {
    readonly ScriptTarget: { readonly ES2022: number }
    readonly ScriptKind: { readonly TS: number }
    createSourceFile(name: string, text: string, target: number, parents: boolean, kind: number): Node
    getDecorators(member: Member): readonly { readonly expression: Node }[] | undefined
    isCallExpression(node: Node): node is CallExpression
    isClassDeclaration(node: Node): node is ClassDeclaration
    isMethodDeclaration(node: Node): boolean
    isPropertyDeclaration(node: Node): boolean
  }
  export interface Plugin {
    readonly name: string
    analyzePhase?(given: {
      readonly moduleDoc: { readonly declarations?: unknown }
      readonly node: Node
    }): void
  }
  export function create(given: {
    readonly context: { readonly dev: boolean }
    readonly modules: readonly Node[]
    readonly plugins: readonly Plugin[]
  }): object
}
