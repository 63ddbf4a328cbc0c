import type { SyntaxNode } from '@lezer/common'
import { parser } from '@prometheus-io/lezer-promql'

/** A metric of a query, and the labels by which the query selects and groups it. */
export type MetricUse = { metric: string; labels: string[] }

/** Parses a query with the grammar of Prometheus, and returns its metrics. @throws Error if it is not valid */
export function usesOf(query: string): MetricUse[] {
  const uses: MetricUse[] = []
  const tree = parser.parse(query)
  tree.iterate({
    enter({ node, type, from }) {
      if (type.isError) throw new Error(`not valid PromQL at ${from}: ${query}`)
      if (type.name !== 'VectorSelector') return
      const name = textsOf(node, 'Identifier', query)[0]
      if (name === undefined) throw new Error(`a selector without a metric: ${query}`)
      const labels = new Set([...textsOf(node, 'LabelName', query), ...groupedBy(node, query)])
      uses.push({ metric: name, labels: [...labels] })
    },
  })
  return uses
}

/** Returns the labels of every `by`, `on` and `ignoring` around a selector. */
function groupedBy(node: SyntaxNode, query: string): string[] {
  const labels: string[] = []
  for (let around = node.parent; around !== null; around = around.parent) {
    for (const clause of ['AggregateModifier', 'MatchingModifierClause']) {
      const [found] = around.getChildren(clause)
      if (found !== undefined) labels.push(...textsOf(found, 'LabelName', query))
    }
  }
  return labels
}

function textsOf(node: SyntaxNode, name: string, query: string): string[] {
  const texts: string[] = []
  node.cursor().iterate((inner) => {
    if (inner.name === name && isWithin(inner.node, node)) texts.push(query.slice(inner.from, inner.to))
  })
  return texts
}

/** Iterating a cursor goes on behind the node that it began with. */
function isWithin(inner: SyntaxNode, node: SyntaxNode): boolean {
  return inner.from >= node.from && inner.to <= node.to
}
