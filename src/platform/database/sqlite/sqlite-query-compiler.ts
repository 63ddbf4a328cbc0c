import { type SelectModifierNode, SqliteQueryCompiler } from 'kysely'

/**
 * SQLite has no row locks and needs none: a transaction that writes is alone. So `FOR UPDATE` and `FOR SHARE`, by which
 * a store asks for the same on PostgreSQL, are left out instead of being a syntax error.
 */
export class LocklessSqliteQueryCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier !== 'ForUpdate' && node.modifier !== 'ForShare') super.visitSelectModifier(node)
  }
}
