import type { figures as english } from '../en/figures.ts'
import type { TextsOf } from '../en/texts-of.ts'

/** How a publication is read. */
export const figures: TextsOf<typeof english> = {
  'figures.period': 'Période',
  'figures.days_one': '{{count}} jour',
  'figures.days_other': '{{count}} jours',
  'figures.days': '{{count}} jours',
  'figures.how':
    'Compté ici, sans cookies et sans tiers. Les lecteurs ne sont distingués que pendant un jour ; les jours sont en UTC.',
  'figures.empty': 'Pas de lecture pendant ces jours',
  'figures.emptyHelp':
    'Les vues apparaissent ici en moins d’une minute. Transmettez l’adresse, ou intégrez la publication quelque part.',
  'figures.views': 'Vues',
  'figures.readers': 'Lecteurs',
  'figures.readersCount_one': '{{figure}} lecteur',
  'figures.readersCount_other': '{{figure}} lecteurs',
  'figures.readersCount': '{{figure}} lecteurs',
  'figures.pagesRead': 'Pages lues',
  'figures.time': 'Temps de lecture',
  'figures.downloads': 'Téléchargements',
  'figures.perDay': 'Jour par jour',
  'figures.perPage': 'Page par page',
  'figures.day': 'Jour (UTC)',
  'figures.page': 'Page',
  'figures.read': 'Lectures',
  'figures.readTimes_one': 'lue une fois',
  'figures.readTimes_other': 'lue {{figure}} fois',
  'figures.readTimes': 'lue {{figure}} fois',
  'figures.hint': 'Pointez le graphique pour lire les valeurs, ou affichez-les en tableau.',
  'figures.shownAs': '{{title}} : affichage',
  'figures.asPlot': 'Graphique',
  'figures.asTable': 'Tableau',
}
