/** The namespace of XML Schema datatypes. */
export const XSD = 'http://www.w3.org/2001/XMLSchema#';

export const RDF_NS = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';

/** Local names of the XML Schema datatypes that SPARQL knows by meaning. */
export type XsdName =
  | 'string'
  | 'boolean'
  | 'integer'
  | 'decimal'
  | 'float'
  | 'double'
  | 'dateTime'
  | 'dateTimeStamp'
  | 'date'
  | 'time'
  | 'gYear'
  | 'gYearMonth'
  | 'gMonth'
  | 'gMonthDay'
  | 'gDay'
  | 'duration'
  | 'dayTimeDuration'
  | 'yearMonthDuration';

/** IRIs of the XML Schema datatypes that SPARQL knows by meaning. */
export const xsd: Readonly<Record<XsdName, string>> = {
  string: `${XSD}string`,
  boolean: `${XSD}boolean`,
  integer: `${XSD}integer`,
  decimal: `${XSD}decimal`,
  float: `${XSD}float`,
  double: `${XSD}double`,
  dateTime: `${XSD}dateTime`,
  dateTimeStamp: `${XSD}dateTimeStamp`,
  date: `${XSD}date`,
  time: `${XSD}time`,
  gYear: `${XSD}gYear`,
  gYearMonth: `${XSD}gYearMonth`,
  gMonth: `${XSD}gMonth`,
  gMonthDay: `${XSD}gMonthDay`,
  gDay: `${XSD}gDay`,
  duration: `${XSD}duration`,
  dayTimeDuration: `${XSD}dayTimeDuration`,
  yearMonthDuration: `${XSD}yearMonthDuration`,
};

/** IRI of the datatype of literals with a language tag. */
export const RDF_LANG_STRING: string = `${RDF_NS}langString`;
