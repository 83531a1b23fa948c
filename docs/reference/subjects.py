"""The pages of the C reference. An entry is on the first page whose pattern fits its name without prefix."""

import re

SUBJECTS = [  # part, page, title, pattern
    ("Model", "functionals", "Functionals, objective and constraints",
     r"track_|end_(position|velocity|energy|angular)|rotation$|reaction|deflection|stress|largest|peak|maxim|minim"
     r"|constrain$|functional_?(sum|id|fn)?$|custom_functional|design|effort|final_time|smooth_max"
     r"|integral_of|mean_|measure_at|beam_length|mass$|fibre|reduction|(before|after)_event|event_(time|impulse)$"
     r"|end_time_functional"),
    ("Model", "path-constraints", "Path constraints", r"limit(?!_row|s)|path_(?!point)"),
    ("Model", "measures", "Measures", r"measure"),
    ("Model", "beams", "Beams", r"beam|weld|clamp|section|slope"),
    ("Model", "joints", "Frames, joints and joint coordinates",
     r"frame|bar_frame|rod_frame|joint(?!_(spring|stop|friction))|place|knife|wheel|coordinates_declared"
     r"|coordinate_(id|kind)|slide|gear|drive_joint|hold_joint|ground$"),
    ("Model", "friction", "Friction and tyres", r"\w*friction|tyre|parabolic"),
    ("Model", "controllers", "Controllers and first-order states", r"controller|pid|feedback|first_order"),
    ("Model", "forces", "Forces, springs and stops",
     r"spring|dashpot|attraction|force|torque|custom_force|custom_points|custom_reads|bushing|joint_(spring|stop)"),
    ("Model", "constraints", "Constraints",
     r"pin$|distance|coordinate$|angle$|custom_(constraint|rolling|nonholonomic)|law|time_function|constraint(?!_name)"),
    ("Model", "points", "Points, rods and bodies",
     r"ground_point|point(?!_on)|initial_velocity|rod|gravity|body|hold_|fix_initial|start_in|axis"),
    ("Model", "signals", "Signals", r"signal(?!_(count|at|sample|range))|switched_signal"),
    ("Model", "events", "Events, impacts, modes and phases",
     r"mode(?!l)|in_mode|capture|latch|bounce|impact|when|event(?!_(log|record|count|at|info))|reset|end_at|terminate"
     r"|phase|transfer|map_|component|direction|any_event|constant$|end$|every_mode|most_|max_"),
    ("Model", "equations", "General equations", r"state$|state_(id|fn)|residual|algebraic|equations|variable"),
    ("Model", "drawing", "Drawing hints", r"draw_(box|cylinder|trace|colour)"),
    ("Evaluate", "contents", "Contents of a model",
     r"(parameter|functional|event|datum|data|signal|link|end_time|drawn_point|registry)_(count|at|info|sample)$|\w+_info$"
     r"|model_describe|list_|element|(functional_)?use$|shape|drawn|draw|examine|condition|invariant|constraint_name"
     r"|coordinate_(name|internal)|count_freedom|dof|freedom"),
    ("Model", "model", "Models, data and callbacks",
     r"at$|model|user|built|build|name|format_name|setting_value|row|parameter_array|end_time$|guess|callback|datum$"
     r"|scalar|formula|visit"),
    ("Model", "problems", "Problems and registries", r"cases|problem|param|vet|unbounded|setting$|role|plugin|registry|count"),
    ("Evaluate", "evaluators", "Evaluators, runs and gradients",
     r"case_|options|method|evaluator|simulate|gradient|search_gradient|hessian|data_gradient|singular|influence|statistics"
     r"|parameter_dep|warning|event_(log|record)|setting_choice|jump"),
    ("Evaluate", "checks", "Checks of derivatives", r"check"),
    ("Evaluate", "trajectories", "Trajectories and extremes", r"trajectory|extreme|signal_range"),
    ("Analyses", "covariances", "Covariances", r"covariance"),
    ("Analyses", "saltation-matrices", "Saltation matrices", r"saltation|disturbance"),
    ("Analyses", "periodic-orbits", "Transition matrices and periodic orbits", r"orbit|transition"),
    ("Analyses", "lqr", "Linear-quadratic regulator", r"regulator|weights|lqr"),
    ("Analyses", "filters", "Estimates of the state along a run", r"filter"),
    ("Analyses", "costates", "Sensitivities and costates", r"sensitivit|costate"),
    ("Analyses", "equilibria", "Equilibrium and linearisation",
     r"equilibrium|linearis|steadiness|operating|stability"),
    ("Optimise", "searches", "Searches, results and algorithms",
     r"search|optimise|iteration|watch|on_iteration|durability|ending|termination|recheck|discretisation|verif|limit_row|path_point"
     r"|course|iterates|sparsity|closing|defect|algorithm"),
    ("Studies", "studies", "Journals, sweeps, many starts and fronts",
     r"resume|study_(recall|replay|check)|journal|workers|scheduler|sweep|multistart|pareto|range|local|optimum"),
    ("Studies", "reports", "Study folders and reports", r"study|report"),
    ("Other", "status", "Status codes and versions", r"status|version|class|ok$"),
    ("Other", "other", "Other declarations", r""),
]


def page_of(name: str) -> str:
    """gradyn_spring_spec -> forces"""
    short = re.sub("^gradyn_", "", name.lower())
    return next(page for _, page, _, pattern in SUBJECTS if re.match(pattern, short))
