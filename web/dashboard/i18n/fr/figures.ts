import type { figures as english } from '../en/figures.ts'
import type { TextsOf } from '../en/texts-of.ts'

/** The reading figures of a publication. */
export const figures: TextsOf<typeof english> = {
  'figures.period': 'Période',
  'figures.days_one': '{{count}} jour',
  'figures.days_many': '{{count}} jours',
  'figures.days_other': '{{count}} jours',
  'figures.how':
    'Mesuré sur ce serveur, sans cookies ni tiers. Un lecteur n’est reconnu que pendant un jour. Les jours sont en UTC.',
  'figures.empty': 'Aucun lecteur sur cette période',
  'figures.emptyHelp':
    'Les vues apparaissent ici en moins d’une minute. Diffusez l’adresse ou intégrez la publication.',
  'figures.views': 'Vues',
  'figures.readers': 'Lecteurs',
  'figures.readersCount_one': '{{figure}} lecteur',
  'figures.readersCount_many': '{{figure}} lecteurs',
  'figures.readersCount_other': '{{figure}} lecteurs',
  'figures.pagesRead': 'Pages lues',
  'figures.time': 'Temps de lecture',
  'figures.downloads': 'Téléchargements',
  'figures.perDay': 'Par jour',
  'figures.perPage': 'Par page',
  'figures.day': 'Jour (UTC)',
  'figures.page': 'Page',
  'figures.read': 'Lectures',
  'figures.readTimes_one': 'lue {{figure}} fois',
  'figures.readTimes_many': 'lue {{figure}} fois',
  'figures.readTimes_other': 'lue {{figure}} fois',
  'figures.hint': 'Survolez le graphique pour voir les valeurs, ou affichez-les sous forme de tableau.',
  'figures.shownAs': '{{title}} : affichage',
  'figures.asPlot': 'Graphique',
  'figures.asTable': 'Tableau',
}
