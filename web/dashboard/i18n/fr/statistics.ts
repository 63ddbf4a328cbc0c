import type { statistics as english } from '../en/statistics.ts'
import type { TextsOf } from '../en/texts-of.ts'

/** The statistics of a track, and by which rules they are made. */
export const statistics: TextsOf<typeof english> = {
  'stats.title': 'Statistiques',
  'stats.distance': 'Distance',
  'stats.duration': 'Durée',
  'stats.moving': 'En mouvement',
  'stats.paused': 'En pause',
  'stats.gain': 'Montée',
  'stats.loss': 'Descente',
  'stats.meanSpeed': 'Vitesse moyenne',
  'stats.maxSpeed': 'Vitesse maximale',
  'stats.pace': 'Allure',
  'stats.highest': 'Point le plus haut',
  'stats.lowest': 'Point le plus bas',
  'stats.points': 'Points',
  'stats.how': 'Mode de calcul : {{figure}}',
  'stats.fromDevice': 'Valeur donnée par l’appareil.',
  'stats.fromServer': 'Calculé par le serveur à partir des points.',

  'rule.travelled_legs':
    'Somme des chemins à la surface entre les points retenus (haversine, rayon moyen de la Terre), sans les étapes sur les pauses, les longs arrêts et les sauts du récepteur. Les montées n’ajoutent rien.',
  'rule.first_to_last_point': 'Du premier au dernier point retenu, pauses comprises.',
  'rule.start_to_end': 'Du départ à la fin de la trace, car il n’y a pas de points.',
  'rule.elevation_plain':
    'Somme de toutes les montées et descentes des altitudes telles quelles : elles sont peu nombreuses, ou sans bruit.',
  'rule.elevation_10s_3m': 'Altitudes moyennées sur 10 s ; un retournement compte dès 3 m d’écart au dernier extrême.',
  'rule.elevation_30s_5m': 'Altitudes moyennées sur 30 s ; un retournement compte dès 5 m d’écart au dernier extrême.',
  'rule.elevation_30s_10m':
    'Altitudes moyennées sur 30 s ; un retournement compte dès 10 m d’écart au dernier extrême.',
  'rule.distance_by_duration': 'Distance divisée par la durée.',
  'rule.duration_by_distance': 'Durée divisée par la distance.',
  'rule.max_of_points': 'Plus haute vitesse plausible mesurée par le récepteur lui-même.',
  'rule.max_of_positions': 'Plus haute vitesse plausible entre positions sur 10 s.',
  'rule.altitude_range': 'D’après les altitudes des points retenus, telles qu’envoyées.',
  'rule.stored_points': 'Tous les points enregistrés, y compris les points écartés.',
  'rule.moving_legs': 'Durée des étapes plus rapides que l’arrêt : 0,28 m/s à pied, 1,11 m/s à vélo.',
  'rule.declared_pauses': 'Durée pendant laquelle la trace était en pause, entre le premier et le dernier point.',
  'rule.given': 'Calculé par l’appareil, et montré tel qu’envoyé.',
}
