import { type SelectModifierNode, SqliteQueryCompiler } from 'kysely'

/**
 * Leaves out `FOR UPDATE` and `FOR SHARE`, which SQLite does not know. It needs no row locks,
 * because only one transaction writes at a time.
 */
export class LocklessSqliteQueryCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier !== 'ForUpdate' && node.modifier !== 'ForShare') super.visitSelectModifier(node)
  }
}
